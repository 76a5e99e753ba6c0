import ControlAPI
import JSON
import Platform

/// What a client is answered.
struct Reply: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A file from its beginning, and its size in bytes.
        case file(Descriptor, size: Int64)
        /// Lines, as they come.
        case events(EventStream)
        /// What HEAD is answered in place of these: no bytes, and no word of how many there would be.
        case noEvents
    }

    let status: Int
    let contentType: String
    let body: Body
    var headers: [(name: String, value: String)] = []
    /// Sent as `Allow`, where there are any.
    var allowedMethods: [String] = []

    init(status: Int = 200, contentType: String = "application/json", body: Body) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// One line of JSON.
    init(status: Int = 200, _ json: JSONObject) {
        self.init(status: status, body: .bytes(JSONValue.object(json).serializedBytes() + [UInt8(ascii: "\n")]))
    }

    init(_ error: APIError) {
        self.init(status: error.status, error.json)
        allowedMethods = error.allowedMethods
    }
}
