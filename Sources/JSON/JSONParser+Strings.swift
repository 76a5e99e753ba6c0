extension JSONParser {
    /// The string at the position, or nil where half a surrogate pair costs it (JSON only).
    mutating func string() throws(JSONSyntaxError) -> String? {
        let start = position
        let quote = bytes[position]
        position += 1
        var content = StringContent()
        var plainStart = position
        while let byte = peek() {
            if byte == quote {
                content.append(bytes[plainStart..<position])
                position += 1
                return content.text
            }
            if byte == UInt8(ascii: "\\") {
                content.append(bytes[plainStart..<position])
                try escape(into: &content)
                plainStart = position
            } else if isAllowedPlain(byte) {
                position += 1
            } else {
                throw error("a control character stands in a string")
            }
        }
        throw error("a string has no end", at: start)
    }

    /// JSON takes no control character; JSON5 takes all but the ends of lines.
    private func isAllowedPlain(_ byte: UInt8) -> Bool {
        switch dialect {
        case .json: byte >= 0x20
        case .json5: byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
        }
    }

    private mutating func escape(into content: inout StringContent) throws(JSONSyntaxError) {
        let start = position
        position += 1
        guard let byte = peek() else { throw error("a string has no end", at: start) }
        if byte == UInt8(ascii: "u") {
            try unicodeEscape(into: &content)
        } else if let plain = Self.plain(escaped: byte) {
            position += 1
            content.append(plain)
        } else if dialect == .json5 {
            try extendedEscape(into: &content)
        } else {
            throw error("unknown escape in a string", at: start)
        }
    }

    /// What an escape of one letter stands for, if both dialects know it.
    private static func plain(escaped byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// An escape that only JSON5 knows; the position is after the backslash.
    private mutating func extendedEscape(into content: inout StringContent) throws(JSONSyntaxError) {
        let lineTerminator = lineTerminatorLength()
        if lineTerminator > 0 {
            position += lineTerminator
            return
        }
        let (scalar, length) = scalar()
        switch scalar {
        case "x":
            let start = position - 1
            position += 1
            content.append(try Unicode.Scalar(UInt8(hexadecimal(digits: 2, escapeStart: start))))
        case "0":
            if let next = peek(1), UInt8(ascii: "0")...UInt8(ascii: "9") ~= next {
                throw error("a digit stands after the escape \\0", at: position - 1)
            }
            position += 1
            content.append(0)
        case "1"..."9":
            throw error("unknown escape in a string", at: position - 1)
        case "v":
            position += 1
            content.append(0x0B)
        default:
            // Any other character stands for itself.
            position += length
            content.append(scalar)
        }
    }

    /// `\u` and four digits, or two of these that make one character; the position is at the `u`.
    private mutating func unicodeEscape(into content: inout StringContent) throws(JSONSyntaxError) {
        let start = position - 1
        let unit = try codeUnit(escapeStart: start)
        if let scalar = Unicode.Scalar(unit) {
            content.append(scalar)
            return
        }
        if UTF16.isLeadSurrogate(UInt16(unit)), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            let afterFirst = position
            position += 1
            let second = try codeUnit(escapeStart: afterFirst)
            if UTF16.isTrailSurrogate(UInt16(second)),
                let scalar = Unicode.Scalar(0x1_0000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
            {
                content.append(scalar)
                return
            }
            // The second escape is read again for itself: it may begin a pair.
            position = afterFirst
        }
        guard dialect == .json else { throw error("half a surrogate pair is no character", at: start) }
        content.isLost = true
    }

    /// The number that four digits after a `u` give; the position is at the `u`.
    mutating func codeUnit(escapeStart: Int) throws(JSONSyntaxError) -> UInt32 {
        position += 1
        return try hexadecimal(digits: 4, escapeStart: escapeStart)
    }

    private mutating func hexadecimal(digits: Int, escapeStart: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected \(digits) hexadecimal digits in an escape", at: escapeStart)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
