import CMicrohttpd
import Glibc
import Platform

/// libmicrohttpd at work: a polling thread of its own that calls a dispatcher. Owned by `ControlServer`.
struct HTTPDaemon: @unchecked Sendable {
    // SAFETY: libmicrohttpd lets any thread stop it; `ControlServer` does so once.
    private let raw: OpaquePointer
    private let dispatcher: Unmanaged<Dispatcher>

    /// A request's line and headers must fit, and those of its reply.
    private static let connectionMemory = 32 * 1024
    private static let connectionLimit: UInt32 = 256
    /// After so many seconds of silence a connection is closed; not while the daemon works for it.
    private static let idleSeconds: UInt32 = 15

    /// Serves a socket that listens until it is stopped.
    init(listening: Descriptor, dispatcher: Dispatcher) throws(SystemError) {
        // libmicrohttpd closes the one that it is given.
        let socket = try checked("dup", path: listening.path) { fcntl(listening.raw, F_DUPFD_CLOEXEC, 0) }
        // SAFETY: balanced below, or in `stop` once the thread that calls back has ended.
        self.dispatcher = Unmanaged.passRetained(dispatcher)
        let daemon = cmicrohttpd_start(
            socket, handleRequest, requestCompleted, leaveEncoded, self.dispatcher.toOpaque(),
            HTTPDaemon.connectionMemory, HTTPDaemon.connectionLimit, HTTPDaemon.idleSeconds)
        guard let daemon else {
            let failure = SystemError("MHD_start_daemon", path: listening.path)
            self.dispatcher.release()
            close(socket)
            throw failure
        }
        raw = daemon
    }

    /// Closes all connections and waits for the thread to end: a moment, since it never blocks. No connection may be
    /// suspended, nor become so.
    func stop() {
        // Taken back first, or it would be shut down for everyone who holds that socket.
        let socket = MHD_quiesce_daemon(raw)
        MHD_stop_daemon(raw)
        if socket >= 0 { close(socket) }
        dispatcher.release()
    }
}

/// MHD_AccessHandlerCallback: called when a request's headers are there, for each piece of its body, and when it is
/// whole; again whenever its connection is resumed.
private func handleRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, piece: UnsafePointer<CChar>?,
    pieceSize: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let path, let method, let pieceSize, let slot else { return .NO }
    // SAFETY: the context is the dispatcher that HTTPDaemon retains until this thread has ended.
    let dispatcher = Unmanaged<Dispatcher>.fromOpaque(context).takeUnretainedValue()
    let client = Connection(connection)
    guard let known = slot.pointee else {
        let exchange = Exchange(
            Request(
                method: String(cString: method), path: String(cString: path), query: client.query,
                headers: client.headers))
        // SAFETY: released in requestCompleted, which libmicrohttpd calls once for each request that came here.
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return dispatcher.begin(exchange, on: client)
    }
    guard pieceSize.pointee == 0 else {
        // No route takes a body; one that was refused is not read.
        return .NO
    }
    // SAFETY: the slot holds the exchange retained above.
    return dispatcher.proceed(Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue(), on: client)
}

/// MHD_RequestCompletedCallback: the reply is sent, or the client has gone.
private func requestCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let slot, let known = slot.pointee else { return }
    slot.pointee = nil
    // SAFETY: retained in handleRequest; the slot is empty now.
    Unmanaged<Exchange>.fromOpaque(known).release()
}

/// For MHD_OPTION_UNESCAPE_CALLBACK: paths and queries stay as they were sent. Decoded by libmicrohttpd, an encoded
/// slash would be a separator and an encoded zero byte the end of the text.
private func leaveEncoded(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
    text.map { strlen($0) } ?? 0
}
