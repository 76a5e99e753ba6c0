/// A member that is missing or of another type than its reader needs.
package struct JSONFieldError: Error, Equatable, CustomStringConvertible {
    /// The key.
    package let field: String
    /// What should be there, such as "a string".
    package let expected: String
    /// What is wrong, for people.
    package let message: String

    package var description: String { message }

    init(field: String, expected: String, found value: JSONValue?) {
        self.field = field
        self.expected = expected
        message = "\"\(field)\": expected \(expected), found \(Self.kind(of: value))"
    }

    private static func kind(of value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
