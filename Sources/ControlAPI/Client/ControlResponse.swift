package import JSON

/// What the daemon answered.
package struct ControlResponse: Sendable, Equatable {
    /// The HTTP status.
    package let status: Int
    /// The body, byte for byte.
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// Whether the request was done.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Throws as `object()` does, unless the request was done; whatever its body is then.
    package func check() throws(ControlClientError) {
        if !isSuccess { _ = try object() }
    }

    /// The body of a request that was done. Throws `refused` for any other, `unreadable` where the body is no object.
    package func object() throws(ControlClientError) -> JSONObject {
        guard let value = try? JSONParser.parse(body), let object = value.objectValue else {
            // What is wrong with a body that a daemon of ours would never send helps nobody.
            throw .unreadable(status: status)
        }
        guard isSuccess else {
            // An answer that is no error of ours either comes from something else on that socket.
            guard let error = try? APIError(status: status, json: object) else { throw .unreadable(status: status) }
            throw .refused(error)
        }
        return object
    }

    /// The body of a request that was done, read by `read`; throws as `object()` does.
    package func decoded<Value>(
        _ read: (JSONObject) throws(JSONFieldError) -> Value
    ) throws(ControlClientError) -> Value {
        let object = try object()
        do throws(JSONFieldError) {
            return try read(object)
        } catch {
            throw .unreadable(status: status)
        }
    }
}
