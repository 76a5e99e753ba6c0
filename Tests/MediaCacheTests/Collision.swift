/// Two contents of one XXH3-128. For inputs over 240 bytes each 8-byte lane is XORed with a public secret, and its low
/// half is multiplied by its high half; where the low half becomes 0, only the sum of such lanes counts. So what is
/// added to one lane's high half can be taken from another's.
enum Collision {
    static let pair = (content(1, 5), content(2, 4))

    private static func content(_ first: UInt8, _ second: UInt8) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 512)
        // Lane 0 of the first two stripes: the low half is the secret's own.
        bytes.replaceSubrange(0..<5, with: [0xb8, 0xfe, 0x6c, 0x39, first])
        bytes.replaceSubrange(64..<69, with: [0x7c, 0x01, 0x81, 0x2c, second])
        return bytes
    }
}
