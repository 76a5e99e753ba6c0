/// One JSON value as a tree, owned by whoever holds it.
///
/// An integer literal that fits, as any of up to 38 digits does, is `.integer`; each other number is `.number`, finite
/// except where the JSON5 dialect read a NaN or an infinity. Equality is of form: `.integer(1)` and `.number(1)` differ,
/// and strings are equal when their UTF-8 bytes are (`String`'s own `==` takes composed and decomposed letters for the
/// same).
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int128) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue {
    /// The string, or null where there is none.
    package init(_ string: String?) { self = string.map(JSONValue.string) ?? .null }

    /// The truth value, or null where there is none.
    package init(_ bool: Bool?) { self = bool.map(JSONValue.bool) ?? .null }

    /// The number, or null where there is none.
    package init(_ number: Double?) { self = number.map(JSONValue.number) ?? .null }

    /// The integer, or null where there is none; one beyond `Int128` becomes the nearest double.
    package init(_ integer: (some FixedWidthInteger)?) {
        guard let integer else {
            self = .null
            return
        }
        self = Int128(exactly: integer).map(JSONValue.integer) ?? .number(Double(integer))
    }
}
