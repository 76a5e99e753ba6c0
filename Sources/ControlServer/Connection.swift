import CMicrohttpd
import Glibc
import Platform

/// A client's connection, as libmicrohttpd lends it to its callbacks; valid there, and while it is suspended.
struct Connection: @unchecked Sendable {
    // SAFETY: other threads than libmicrohttpd's hold one only to resume it, once, which may be done from any thread
    // (MHD_resume_connection); until then it is suspended and cannot go.
    private let raw: OpaquePointer

    /// For what is sent as it comes: so much is asked for at a time, in bytes.
    private static let streamBlock = 8192
    /// A reader of events that has taken nothing for so many seconds, although there is something, is taken for dead.
    private static let streamIdleSeconds: UInt32 = 300

    init(_ raw: OpaquePointer) {
        self.raw = raw
    }

    /// Stops calling back for it, until it is resumed. For libmicrohttpd's thread, in the request's callback.
    func suspend() { MHD_suspend_connection(raw) }

    /// Calls back for its request again.
    func resume() { MHD_resume_connection(raw) }

    /// Hands the reply over to be sent. For libmicrohttpd's thread, in the request's callback.
    func queue(_ reply: Reply, endsConnection: Bool) -> MHD_Result {
        if case .events = reply.body {
            // A reader may take its time; the stream is bounded.
            cmicrohttpd_set_timeout(raw, Self.streamIdleSeconds)
        }
        guard let response = response(with: reply.body) else { return .NO }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", reply.contentType)
        for (name, value) in reply.headers { MHD_add_response_header(response, name, value) }
        if !reply.allowedMethods.isEmpty {
            MHD_add_response_header(response, "Allow", reply.allowedMethods.joined(separator: ", "))
        }
        if endsConnection { MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(raw, UInt32(reply.status), response)
    }

    private func response(with body: Reply.Body) -> OpaquePointer? {
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
        case .events(let stream):
            // SAFETY: released by releaseFeed, which libmicrohttpd calls once, when the response goes.
            let feed = Unmanaged.passRetained(EventFeed(stream, self))
            let response = MHD_create_response_from_callback(
                cmicrohttpd_size_unknown, Self.streamBlock, readFeed, feed.toOpaque(), releaseFeed)
            if response == nil { feed.release() }
            return response
        case .noEvents:
            let response = MHD_create_response_from_callback(
                cmicrohttpd_size_unknown, 1, { _, _, _, _ in cmicrohttpd_end_of_stream }, nil, nil)
            // Else the answer to HEAD would end with the last chunk of a body.
            if let response { cmicrohttpd_never_chunk(response) }
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

/// What libmicrohttpd asks for the bytes of a stream of events. Owned by its response, which is for one connection.
private final class EventFeed {
    let stream: EventStream
    let connection: Connection

    init(_ stream: EventStream, _ connection: Connection) {
        self.stream = stream
        self.connection = connection
    }
}

/// MHD_ContentReaderCallback: 0 where there is nothing, and then the connection is suspended.
private func readFeed(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
    guard let context, let buffer else { return cmicrohttpd_end_with_error }
    // SAFETY: the context is the feed that the response owns.
    let feed = Unmanaged<EventFeed>.fromOpaque(context).takeUnretainedValue()
    // SAFETY: libmicrohttpd lends so many bytes for this call.
    let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: size)
    return feed.stream.read(into: bytes, for: feed.connection) ?? cmicrohttpd_end_of_stream
}

/// MHD_ContentReaderFreeCallback: the response goes.
private func releaseFeed(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // SAFETY: retained when the response was made.
    Unmanaged<EventFeed>.fromOpaque(context).release()
}
