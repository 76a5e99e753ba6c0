package import JSON

/// A request that is refused, as the client is told: an HTTP status, a code for programs and a message for people.
/// Messages never hold the query of a URL.
package struct APIError: Error, Equatable, Sendable {
    /// The HTTP status.
    package let status: Int
    package let code: String
    package let message: String
    /// The methods that the path has, of `methodNotAllowed`; they are sent as `Allow`.
    package let allowedMethods: [String]

    private init(_ status: Int, _ code: String, _ message: String, allowedMethods: [String] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.allowedMethods = allowedMethods
    }

    /// The request is not one that the API knows.
    package static func badRequest(_ message: String) -> APIError { APIError(400, "bad_request", message) }
    /// The peer, or the page that speaks through it, may not do that.
    package static func forbidden(_ message: String) -> APIError { APIError(403, "forbidden", message) }
    /// No such path, or no such thing.
    package static func notFound(_ message: String) -> APIError { APIError(404, "not_found", message) }
    /// The path is there, for other methods.
    package static func methodNotAllowed(allowed: [String]) -> APIError {
        let message = "this path takes \(allowed.joined(separator: ", "))"
        return APIError(405, "method_not_allowed", message, allowedMethods: allowed)
    }
    /// Several things are meant: the request must say which.
    package static func conflict(_ message: String) -> APIError { APIError(409, "conflict", message) }
    /// The body's size is not announced.
    package static let lengthRequired = APIError(411, "length_required", "a body needs a Content-Length")
    /// The body is not of the type that is taken there.
    package static func unsupportedMediaType(_ message: String) -> APIError {
        APIError(415, "unsupported_media_type", message)
    }
    /// Not so much at once.
    package static func tooManyRequests(_ message: String) -> APIError { APIError(429, "too_many_requests", message) }
    /// The body is larger than may be sent there.
    package static func tooLarge(_ message: String) -> APIError { APIError(413, "too_large", message) }
    /// The daemon could not do it; a disk that is full or read-only may be the reason, and may pass.
    package static func failed(_ message: String) -> APIError { APIError(503, "failed", message) }
    /// Not now: the daemon is starting or stopping.
    package static func unavailable(_ message: String) -> APIError { APIError(503, "unavailable", message) }

    /// What an answer of that status says in its body. Throws where it is not of the form.
    package init(status: Int, json: JSONObject) throws(JSONFieldError) {
        let error = try json.object("error")
        self.init(status, try error.string("code"), try error.string("message"))
    }

    /// As it is sent.
    package var json: JSONObject {
        ["error": ["code": .string(code), "message": .string(message)]]
    }
}
