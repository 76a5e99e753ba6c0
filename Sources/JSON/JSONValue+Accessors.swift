extension JSONValue {
    /// Whether this is null.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The members, if this is an object.
    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements, if this is an array.
    package var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text, if this is a string.
    package var stringValue: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The truth value, if this is `true` or `false`; never read from a number.
    package var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The number, if this is one of either kind; `true` is none. An integer beyond 2^53 is rounded.
    package var doubleValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The whole number, if this is one that `Int64` holds exactly; `5.0` is such a number, `5.5` and `true` are not.
    package var integerValue: Int64? {
        switch self {
        case .integer(let integer): Int64(exactly: integer)
        case .number(let number): Self.wholeNumber(number)
        default: nil
        }
    }

    /// As `Int64(exactly:)`, which calls libm; a module without imports does not link it.
    private static func wholeNumber(_ number: Double) -> Int64? {
        guard (-0x1p63..<0x1p63).contains(number) else { return nil }
        let integer = Int64(number)
        return Double(integer) == number ? integer : nil
    }
}
