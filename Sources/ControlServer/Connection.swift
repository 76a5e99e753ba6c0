import CMicrohttpd

/// A client's connection, as libmicrohttpd lends it to its callbacks; valid there, and while it is suspended.
struct Connection: @unchecked Sendable {
    // SAFETY: other threads than libmicrohttpd's hold one only to resume it, once, which may be done from any thread
    // (MHD_resume_connection); until then it is suspended and cannot go.
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        self.raw = raw
    }

    /// Stops calling back for it, until it is resumed. For libmicrohttpd's thread, in the request's callback.
    func suspend() { MHD_suspend_connection(raw) }

    /// Calls back for its request again.
    func resume() { MHD_resume_connection(raw) }

    /// Hands the reply over to be sent. For libmicrohttpd's thread, in the request's callback.
    func queue(_ reply: Reply, endsConnection: Bool) -> MHD_Result {
        // SAFETY: libmicrohttpd copies the bytes before it returns, and does not write to them.
        let response = reply.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", "application/json")
        if !reply.allowedMethods.isEmpty {
            MHD_add_response_header(response, "Allow", reply.allowedMethods.joined(separator: ", "))
        }
        if endsConnection { MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(raw, UInt32(reply.status), response)
    }

    /// The headers of the request: each that was sent, not only the first of a name.
    var headers: [(name: String, value: String)] { values(.HEADER_KIND) }

    /// The query's names and values, encoded as they were sent but for '+', which stands for a space.
    var query: [(name: String, value: String)] { values(.GET_ARGUMENT_KIND) }

    private func values(_ kind: MHD_ValueKind) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &values) { pointer in
            // SAFETY: the callback runs only within this call, while `values` is lent.
            _ = MHD_get_connection_values(
                raw, kind,
                { context, _, name, value in
                    let values = context?.assumingMemoryBound(to: [(name: String, value: String)].self)
                    values?.pointee.append(
                        (name.map { String(cString: $0) } ?? "", value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, pointer)
        }
        return values
    }
}
