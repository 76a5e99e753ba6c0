/// Why a payload becomes neither a story nor a fallback. The same payload is rejected again however often it is tried.
package struct PayloadRejection: Error, Equatable, Sendable, CustomStringConvertible {
    /// The closed list that operators match on.
    package enum Code: String, CaseIterable, Sendable {
        case notJSON = "not_json"
        case notAnObject = "not_an_object"
        case tooLarge = "too_large"
        case noNotifications = "no_notifications"
    }

    package let code: Code
    /// For people; nothing of the payload is in it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code.rawValue): \(message)" }
}
