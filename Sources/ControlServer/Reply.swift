import ControlAPI
import JSON

/// What a client is answered: always JSON.
struct Reply: Sendable {
    let status: Int
    let body: [UInt8]
    /// Sent as `Allow`, where there are any.
    var allowedMethods: [String] = []

    /// Bytes that are JSON already.
    init(status: Int = 200, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// One line of JSON.
    init(status: Int = 200, _ json: JSONObject) {
        self.init(status: status, body: JSONValue.object(json).serializedBytes() + [UInt8(ascii: "\n")])
    }

    init(_ error: APIError) {
        self.init(status: error.status, error.json)
        allowedMethods = error.allowedMethods
    }
}
