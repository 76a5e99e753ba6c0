import CMicrohttpd
import Glibc
import Platform

/// libmicrohttpd at work: a polling thread of its own that calls a dispatcher. Owned by `ControlServer`.
struct HTTPDaemon: @unchecked Sendable {
    // SAFETY: libmicrohttpd lets any thread stop it; `ControlServer` does so once.
    private let raw: OpaquePointer
    private let dispatcher: Unmanaged<Dispatcher>

    /// A request's line and headers must fit, and those of its reply. libmicrohttpd keeps some 70 bytes there for each
    /// argument of a query besides: more than about 450 leave no room for any answer, and it closes the connection.
    private static let connectionMemory = 32 * 1024
    /// More than the table of clients lets in: at this limit libmicrohttpd would let clients hang.
    private static let connectionLimit: UInt32 = 1024
    /// After so many seconds of silence a connection is closed; not while the daemon works for it.
    private static let idleSeconds: UInt32 = 15

    /// Serves the connections that it is given.
    init(dispatcher: Dispatcher) throws(SystemError) {
        // SAFETY: balanced below, or in `stop` once the thread that calls back has ended.
        self.dispatcher = Unmanaged.passRetained(dispatcher)
        let daemon = cmicrohttpd_start(
            handleRequest, requestCompleted, connectionChanged, leaveEncoded, self.dispatcher.toOpaque(),
            HTTPDaemon.connectionMemory, HTTPDaemon.connectionLimit, HTTPDaemon.idleSeconds)
        guard let daemon else {
            let failure = SystemError("MHD_start_daemon")
            self.dispatcher.release()
            throw failure
        }
        raw = daemon
    }

    /// Takes over a connected socket; where it returns false, it has closed it. For any thread.
    func add(_ socket: Int32) -> Bool {
        // The address is looked at by nobody, but has to be there.
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNIX)
        return MHD_add_connection(raw, socket, &address, socklen_t(MemoryLayout<sa_family_t>.size)) == .YES
    }

    /// Closes all connections and waits for the thread to end: a moment, since it never blocks. No connection may be
    /// suspended, nor become so, and none may be added any more.
    func stop() {
        MHD_stop_daemon(raw)
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
        let exchange = dispatcher.exchange(
            for: Request(
                method: String(cString: method), path: String(cString: path), query: client.query,
                headers: client.headers), on: client)
        // SAFETY: released in requestCompleted, which libmicrohttpd calls once for each request that came here.
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return dispatcher.begin(exchange, on: client)
    }
    // SAFETY: the slot holds the exchange retained above.
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    let size = pieceSize.pointee
    guard size > 0 else { return dispatcher.proceed(exchange, on: client) }
    pieceSize.pointee = 0
    // SAFETY: libmicrohttpd lends the piece for this call.
    return exchange.receive(UnsafeRawBufferPointer(start: piece, count: size)) ? .YES : .NO
}

/// MHD_RequestCompletedCallback: the reply is sent, or the client has gone.
private func requestCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let context, let connection, let slot, let known = slot.pointee else { return }
    slot.pointee = nil
    // SAFETY: retained in handleRequest; the slot is empty now. The context as there.
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    Unmanaged<Dispatcher>.fromOpaque(context).takeUnretainedValue().end(exchange, on: Connection(connection))
}

/// MHD_NotifyConnectionCallback: a connection was taken over, or is about to be closed.
private func connectionChanged(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
    guard let context, let connection, change == .CONNECTION_NOTIFY_CLOSED else { return }
    // SAFETY: the context as in handleRequest.
    Unmanaged<Dispatcher>.fromOpaque(context).takeUnretainedValue().forget(Connection(connection))
}

/// For MHD_OPTION_UNESCAPE_CALLBACK: paths and queries stay as they were sent. Decoded by libmicrohttpd, an encoded
/// slash would be a separator and an encoded zero byte the end of the text.
private func leaveEncoded(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
    text.map { strlen($0) } ?? 0
}
