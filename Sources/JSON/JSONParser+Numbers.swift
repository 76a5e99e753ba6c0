extension JSONParser {
    /// The number at the position, or what takes its place: null for one that no double holds (JSON), NaN or infinity
    /// itself (JSON5).
    mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        let isNegative = skip(UInt8(ascii: "-"))
        if !isNegative, dialect == .json5 { _ = skip(UInt8(ascii: "+")) }
        if skip("Infinity") { return finite(isNegative ? -.infinity : .infinity) }
        if dialect == .json5 || !isNegative, skip("NaN") { return finite(.nan) }
        if dialect == .json5, peek() == UInt8(ascii: "0"), let next = peek(1), next | 0x20 == UInt8(ascii: "x") {
            return try hexadecimalNumber(isNegative: isNegative)
        }
        return try decimalNumber(start: start)
    }

    private mutating func decimalNumber(start: Int) throws(JSONSyntaxError) -> JSONValue {
        let isSigned = position > start
        let wholeStart = position
        let wholeDigits = skipDigits()
        if wholeDigits > 1, bytes[wholeStart] == UInt8(ascii: "0") {
            throw error("a number begins with 0", at: start)
        }
        if wholeDigits == 0, dialect == .json || peek() != UInt8(ascii: ".") {
            throw error(isSigned ? "expected a digit after the sign" : "expected a value")
        }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            let fractionDigits = skipDigits()
            if fractionDigits == 0, dialect == .json || wholeDigits == 0 {
                throw error("expected a digit after the decimal point")
            }
        }
        if let next = peek(), next | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            guard skipDigits() > 0 else { throw error("expected a digit in the exponent") }
        }
        return number(String(decoding: bytes[start..<position], as: UTF8.self), isInteger: isInteger)
    }

    private mutating func hexadecimalNumber(isNegative: Bool) throws(JSONSyntaxError) -> JSONValue {
        position += 2
        let start = position
        while let byte = peek(), Character(Unicode.Scalar(byte)).isHexDigit { position += 1 }
        guard position > start else { throw error("expected a hexadecimal digit") }
        let sign = isNegative ? "-" : ""
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int128(sign + digits, radix: 16) { return .integer(integer) }
        return number("\(sign)0x\(digits)", isInteger: false)
    }

    /// The value of a lexeme of the grammar. `Double` reads all of them, those beyond its range as infinity.
    private func number(_ lexeme: String, isInteger: Bool) -> JSONValue {
        if isInteger, let integer = Int128(lexeme) { return .integer(integer) }
        return finite(Double(lexeme) ?? .nan)
    }

    private func finite(_ number: Double) -> JSONValue {
        number.isFinite || dialect == .json5 ? .number(number) : .null
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return position - start
    }
}
