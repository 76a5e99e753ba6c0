import Addresses
import CCurl
import Glibc

/// The sockets of libcurl's connections, and when each last brought something. Owned by the loop's thread; libcurl has
/// its sockets opened and closed here, since it tells of no connection which socket it has while a transfer runs on it.
///
/// Over HTTP/2 one connection serves many transfers, and libcurl keeps it however many of them are given up: one that
/// has gone silent would be used again for ever. Who gives up a transfer asks here for its connection to be cut.
final class ConnectionSockets {
    typealias Instant = SuspendingClock.Instant

    /// One end of a connection.
    struct End: Equatable {
        let address: IPAddress
        let port: Int
    }

    /// Both ends of a connection.
    struct Ends: Equatable {
        let local: End
        let remote: End
    }

    /// Open sockets, with the last time that a transfer made progress on them.
    private var sockets: [Int32: Instant?] = [:]

    /// Opens a socket for libcurl; CURL_SOCKET_BAD where there is none to be had.
    func open(family: Int32, kind: Int32, protocolNumber: Int32) -> curl_socket_t {
        let socket = Glibc.socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        guard socket >= 0 else { return CURL_SOCKET_BAD }
        sockets[socket] = .some(nil)
        return socket
    }

    /// libcurl is done with `socket`. Returns what close(2) does.
    func close(_ socket: curl_socket_t) -> Int32 {
        sockets[socket] = nil
        return Glibc.close(socket)
    }

    /// The open socket of the connection between these ends.
    func socket(of ends: Ends) -> Int32? {
        sockets.keys.first { Self.end($0, getsockname) == ends.local && Self.end($0, getpeername) == ends.remote }
    }

    /// A transfer on `socket` has made progress.
    func progressed(_ socket: Int32, at now: Instant) {
        guard sockets[socket] != nil else { return }
        sockets[socket] = .some(now)
    }

    /// Time in which nothing could be done is no silence.
    func postpone(by gap: Duration) {
        sockets = sockets.mapValues { $0.map { $0 + gap } }
    }

    /// Cuts the connection on `socket` unless a transfer made progress on it within `time`: libcurl finds it at its end,
    /// closes it and opens another. True where it was cut.
    @discardableResult
    func cut(_ socket: Int32, ifSilentFor time: Duration, at now: Instant) -> Bool {
        guard let last = sockets[socket] else { return false }
        if let last, now - last < time { return false }
        // Both ways: were it for reading alone, what comes late would bring it back to life.
        return shutdown(socket, Int32(SHUT_RDWR)) == 0
    }

    private static func end(
        _ socket: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> End? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // SAFETY: the storage is as large as any socket address and lives through the call, which writes at most
        // `length` bytes of it. Both families have their port in bytes 2 and 3, in network order.
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let start = bytes.baseAddress,
                name(socket, start.assumingMemoryBound(to: sockaddr.self), &length) == 0,
                let address = IPAddress(socketAddress: start, length: Int(length))
            else { return nil }
            return End(address: address, port: Int(bytes[2]) << 8 | Int(bytes[3]))
        }
    }
}
