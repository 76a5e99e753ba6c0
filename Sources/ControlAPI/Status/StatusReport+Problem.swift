import JSON

extension StatusReport {
    /// Something that keeps the daemon from a part of its work, and how to mend it.
    package struct Problem: Sendable, Equatable {
        /// For programs: lower case, underscores.
        package let code: String
        /// For people.
        package let message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }

        init(json: JSONObject) throws(JSONFieldError) {
            code = try json.string("code")
            message = try json.string("message")
        }

        var json: JSONObject {
            [
                "code": .string(code),
                "message": .string(message),
            ]
        }
    }
}
