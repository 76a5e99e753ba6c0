/// A file of certificates to trust, in PEM (RFC 7468), judged before anybody relies on it: else the first that is told of
/// a wrong one is the player, by pictures that fail. Whether OpenSSL can use a certificate is not known here, only that
/// each is whole.
struct CertificateFile {
    let path: String

    /// Bytes; the authorities of a whole system are a quarter of a million.
    private static let largest = 16_777_216
    private static let labels = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

    /// What is wrong with it, to stand after its path; nil where nothing is. Blocks.
    func trouble() -> String? {
        let bytes: [UInt8]
        do throws(NamedFile.Trouble) {
            bytes = try NamedFile(path: path, largest: Self.largest).bytes()
        } catch {
            return error.message
        }
        return Self.trouble(in: bytes)
    }

    static func trouble(in bytes: [UInt8]) -> String? {
        var certificates = 0
        var block: (label: String, start: Int, text: [UInt8])?
        let lines = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
        for (number, line) in lines.enumerated() {
            let text = line.filter { $0 >= 0x20 }
            if let open = block, marker("END", in: text) == open.label {
                guard isWhole(open.text) else { return broken(at: open.start) }
                certificates += 1
                block = nil
            } else if let label = marker("BEGIN", in: text) {
                if let open = block { return broken(at: open.start) }
                if labels.contains(label) { block = (label, number + 1, []) }
            } else {
                block?.text += text
            }
        }
        if let open = block { return broken(at: open.start) }
        return certificates == 0 ? "holds no certificate between lines of BEGIN and END CERTIFICATE" : nil
    }

    private static func broken(at line: Int) -> String {
        "has a certificate that is cut off or damaged, which begins at its line \(line)"
    }

    /// The label of a line `-----BEGIN LABEL-----`.
    private static func marker(_ word: String, in line: [UInt8]) -> String? {
        let text = String(decoding: line, as: UTF8.self)
        let (start, end) = ("-----\(word) ", "-----")
        guard text.hasPrefix(start), text.hasSuffix(end), text.utf8.count > start.utf8.count + end.utf8.count else {
            return nil
        }
        return String(text.dropFirst(start.count).dropLast(end.count))
    }

    /// Whether a text of base64 holds at least one whole SEQUENCE of DER, which a certificate is; a trusted one has
    /// another after it.
    private static func isWhole(_ base64: [UInt8]) -> Bool {
        guard let der = decoded(base64), der.count > 2, der[0] == 0x30 else { return false }
        guard der[1] >= 0x80 else { return der.count >= 2 + Int(der[1]) }
        // The number of bytes of the length, then the length.
        let size = Int(der[1] & 0x7F)
        guard (1...4).contains(size), der.count > 2 + size else { return false }
        return der.count >= 2 + size + der[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Nil for what is no base64, RFC 4648.
    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.filter { $0 != 0x20 }
        let content = digits.prefix { $0 != UInt8(ascii: "=") }
        guard digits.count % 4 == 0, digits.count - content.count <= 2,
            digits[content.count...].allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for digit in content {
            guard let value = value(of: digit) else { return nil }
            (bits, count) = ((bits << 6 | value) & 0xFFFF, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
