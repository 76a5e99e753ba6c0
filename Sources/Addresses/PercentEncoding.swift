/// Percent-encoding of a URL's path and query (RFC 3986), on bytes. Pure functions.
package enum PercentEncoding {
    /// `text`, which need not be UTF-8, with each byte that may not stand in a request line as `%XX`. Escapes stay as they came, since a
    /// signature may cover them; a `%` that begins none becomes `%25`.
    package static func encoded(_ text: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        let bytes = Array(text)
        for (index, byte) in bytes.enumerated() {
            let literal = byte == percent ? escapedByte(in: bytes, at: index) != nil : mayStandInRequest(byte)
            if literal {
                result.append(byte)
            } else {
                appendEscape(of: byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The one spelling of an encoded text (RFC 3986, section 6.2.2): escapes of unreserved characters decoded, the
    /// hexadecimal digits of all others in upper case.
    static func normalized(_ text: String) -> String {
        let bytes = replacingEscapes(in: text) { byte, result in
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                appendEscape(of: byte, to: &result)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes that an encoded text stands for.
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        replacingEscapes(in: text) { byte, result in result.append(byte) }
    }

    private static let percent = UInt8(ascii: "%")
    private static let upperHexDigits = Array("0123456789ABCDEF".utf8)

    private static func replacingEscapes(
        in text: some StringProtocol, with replace: (UInt8, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if let byte = escapedByte(in: bytes, at: index) {
                replace(byte, &result)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// The byte that the escape at `index` stands for; nil where none begins.
    private static func escapedByte(in bytes: [UInt8], at index: Int) -> UInt8? {
        guard bytes[index] == percent, index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
            let low = hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func appendEscape(of byte: UInt8, to result: inout [UInt8]) {
        result += [percent, upperHexDigits[Int(byte >> 4)], upperHexDigits[Int(byte & 15)]]
    }

    /// Whether a byte is sent as it is. Square brackets are, as browsers do, although RFC 3986 has them only in hosts.
    private static func mayStandInRequest(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x7e: !"\"<>\\^`{|}".utf8.contains(byte)
        default: false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
