extension JSONParser {
    /// Passes over what may stand between two tokens: white space and, in JSON5, comments.
    mutating func skipSpace() throws(JSONSyntaxError) {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                position += 1
            case 0x0B where dialect == .json5, 0x0C where dialect == .json5:
                position += 1
            case UInt8(ascii: "/") where dialect == .json5:
                try skipComment()
            case 0x80... where dialect == .json5:
                let scalar = scalar()
                guard Self.isSpace(scalar.value) else { return }
                position += scalar.length
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSONSyntaxError) {
        let start = position
        switch peek(1) {
        case UInt8(ascii: "/"):
            position += 2
            while position < bytes.count, lineTerminatorLength() == 0 { position += 1 }
        case UInt8(ascii: "*"):
            position += 2
            while !skip("*/") {
                guard position < bytes.count else { throw error("a comment has no end", at: start) }
                position += 1
            }
        default:
            throw error("expected a value or a comment")
        }
    }

    /// How many bytes the line terminator at the position has; 0 where there is none.
    func lineTerminatorLength() -> Int {
        switch peek() {
        case UInt8(ascii: "\n"): 1
        case UInt8(ascii: "\r"): peek(1) == UInt8(ascii: "\n") ? 2 : 1
        // U+2028 and U+2029.
        case 0xE2 where peek(1) == 0x80 && (peek(2) == 0xA8 || peek(2) == 0xA9): 3
        default: 0
        }
    }

    /// The character at the position and how many bytes it has; only asked for where the text goes on.
    func scalar() -> (value: Unicode.Scalar, length: Int) {
        // The text is valid UTF-8 and the position stands between two characters.
        let text = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
        let scalar = text.unicodeScalars.first ?? "\u{FFFD}"
        return (scalar, UTF8.width(scalar))
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{FEFF}", "\u{2028}", "\u{2029}": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
