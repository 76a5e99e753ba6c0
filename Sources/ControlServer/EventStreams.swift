import Glibc
import Platform

/// The streams of events whose connections are open. Shared by libmicrohttpd's thread, which adds and removes them, and
/// those who end them.
final class EventStreams: Sendable {
    private struct State {
        var isClosed = false
        var streams: [Int32: EventStream] = [:]
    }

    private let state = Locked(State())

    /// The stream is about to be sent over that socket. Once these are closed it is ended at once.
    func add(_ stream: EventStream, on socket: Int32) {
        state.withLock { state in
            if state.isClosed { stream.end() } else { state.streams[socket] = stream }
        }
    }

    var isEmpty: Bool { state.withLock { $0.streams.isEmpty } }

    /// That socket's stream, if there is one, ends. Call it before the socket is closed: afterwards another may have its
    /// number.
    func remove(_ socket: Int32) {
        state.withLock { $0.streams.removeValue(forKey: socket) }?.end()
    }

    /// Ends those whose reader has gone: while a connection is suspended libmicrohttpd does not see it
    /// (MHD_suspend_connection).
    func endAbandoned() {
        state.withLock { state in
            // Only within the lock: while a stream is here, nobody has closed its socket.
            for (socket, stream) in state.streams {
                var entry = pollfd(fd: socket, events: 0, revents: 0)
                if poll(&entry, 1, 0) > 0 { stream.end() }
            }
        }
    }

    /// Ends all, and each that comes: libmicrohttpd must not be stopped while a connection is suspended (MHD_stop_daemon).
    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.end() }
    }
}
