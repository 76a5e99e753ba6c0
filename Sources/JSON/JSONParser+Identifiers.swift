extension JSONParser {
    /// The unquoted key of JSON5 at the position: letters, digits, `$`, `_`, not a digit first; a character may be
    /// written as `\u` and four digits.
    mutating func identifier() throws(JSONSyntaxError) -> String {
        var name = String.UnicodeScalarView()
        while position < bytes.count {
            let start = position
            let scalar = try identifierScalar()
            guard Self.isAllowed(scalar, first: name.isEmpty) else {
                position = start
                break
            }
            name.append(scalar)
        }
        guard !name.isEmpty else { throw error("expected a key") }
        return String(name)
    }

    private mutating func identifierScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard peek() == UInt8(ascii: "\\") else {
            let (scalar, length) = scalar()
            position += length
            return scalar
        }
        let start = position
        position += 1
        guard peek() == UInt8(ascii: "u"), let scalar = Unicode.Scalar(try codeUnit(escapeStart: start)) else {
            throw error("unknown escape in a key", at: start)
        }
        return scalar
    }

    private static func isAllowed(_ scalar: Unicode.Scalar, first isFirst: Bool) -> Bool {
        switch scalar {
        case "$", "_": true
        case "\u{200C}", "\u{200D}": !isFirst
        default: isFirst ? scalar.properties.isIDStart : scalar.properties.isIDContinue
        }
    }
}
