/// Four characters that name a chunk, a box or a brand: `IHDR`, `ftyp`.
struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let value: UInt32

    init(_ value: UInt32) {
        self.value = value
    }

    init(stringLiteral literal: StaticString) {
        var value: UInt32 = 0
        literal.withUTF8Buffer { for byte in $0.prefix(4) { value = value << 8 | UInt32(byte) } }
        self.value = value
    }

    /// The characters; what is not printable ASCII as `?`, for it comes from the file and goes into logs.
    var description: String {
        var text = ""
        for shift: UInt32 in [24, 16, 8, 0] {
            let byte = UInt8(truncatingIfNeeded: value >> shift)
            text.unicodeScalars.append(Unicode.Scalar((0x20...0x7E).contains(byte) ? byte : 0x3F))
        }
        return text
    }
}
