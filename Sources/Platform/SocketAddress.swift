import Glibc

/// The address of a Unix socket at a path, unix(7).
package struct SocketAddress: Sendable {
    /// Bytes, without the zero that ends it.
    package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private var raw = sockaddr_un()

    /// Nil where the path is too long, or empty.
    package init?(path: String) {
        guard (1...Self.longestPath).contains(path.utf8.count) else { return nil }
        raw.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &raw.sun_path) { $0.copyBytes(from: path.utf8) }
    }

    /// What a Unix socket is bound to, getsockname(2), or its peer, getpeername(2). Nil where that is no path.
    package init?(of socket: Int32, peer: Bool = false) {
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // SAFETY: every socket address begins as sockaddr does; the kernel writes `length` bytes at most.
        let result = withUnsafeMutablePointer(to: &raw) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                peer ? getpeername(socket, $0, &length) : getsockname(socket, $0, &length)
            }
        }
        guard result == 0, raw.sun_family == sa_family_t(AF_UNIX), !path.isEmpty else { return nil }
    }

    package var path: String {
        withUnsafeBytes(of: raw.sun_path) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// bind(2).
    package func bind(_ socket: Int32) -> Int32 { withAddress { Glibc.bind(socket, $0, $1) } }

    /// connect(2).
    package func connect(_ socket: Int32) -> Int32 { withAddress { Glibc.connect(socket, $0, $1) } }

    /// Sends one datagram there, sendto(2), without waiting and without SIGPIPE.
    package func send(_ bytes: [UInt8], from socket: Int32) -> Int {
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        return withAddress { sendto(socket, bytes, bytes.count, flags, $0, $1) }
    }

    private func withAddress<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        // SAFETY: every socket address begins as sockaddr does; the pointer is used only within the call.
        withUnsafePointer(to: raw) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
