/// What is printed in place of a secret. Read back it would be taken for the secret itself, so it is no value of one.
enum SecretMask {
    static let text = "***"

    /// What is wrong with it where a secret is read.
    static let finding =
        "the mask \"\(text)\", which --print-config prints in place of a secret; write the secret itself"
}
