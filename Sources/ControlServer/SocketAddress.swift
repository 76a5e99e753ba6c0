import Glibc

/// The address of a Unix socket at a path, unix(7).
struct SocketAddress {
    /// Bytes, without the zero that ends it.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private var raw = sockaddr_un()

    /// Nil where the path is too long, or empty.
    init?(path: String) {
        guard (1...Self.longestPath).contains(path.utf8.count) else { return nil }
        raw.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &raw.sun_path) { $0.copyBytes(from: path.utf8) }
    }

    /// bind(2).
    func bind(_ socket: Int32) -> Int32 { withAddress { Glibc.bind(socket, $0, $1) } }

    /// connect(2).
    func connect(_ socket: Int32) -> Int32 { withAddress { Glibc.connect(socket, $0, $1) } }

    private func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        // SAFETY: every socket address begins as sockaddr does; the pointer is used only within the call.
        withUnsafePointer(to: raw) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
