import CMicrohttpd
import Glibc
import Platform

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
        guard let response = Self.response(with: reply.body) else { return .NO }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", reply.contentType)
        for (name, value) in reply.headers { MHD_add_response_header(response, name, value) }
        if !reply.allowedMethods.isEmpty {
            MHD_add_response_header(response, "Allow", reply.allowedMethods.joined(separator: ", "))
        }
        if endsConnection { MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(raw, UInt32(reply.status), response)
    }

    private static func response(with body: Reply.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            // SAFETY: libmicrohttpd copies the bytes before it returns, and does not write to them.
            return bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let file, let size):
            // libmicrohttpd closes the one that it is given.
            let descriptor = fcntl(file.raw, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return nil }
            let response = MHD_create_response_from_fd64(UInt64(size), descriptor)
            if response == nil { close(descriptor) }
            return response
        }
    }

    /// Its socket; the number is the connection's as long as that is open.
    var socket: Int32 { cmicrohttpd_socket(raw) }

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
