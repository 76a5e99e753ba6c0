import Glibc
package import Platform

/// TCP sockets on 127.0.0.1, for origins.
package enum LoopbackSocket {
    /// A socket that listens on a free port, with room for `backlog` connections that nobody has accepted.
    package static func listen(backlog: Int32 = 1024) throws -> Descriptor {
        let raw = try checked("socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        let listener = Descriptor(owning: raw)
        var on: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        try withSocketAddress(port: 0) { address, length in
            _ = try checked("bind") { bind(raw, address, length) }
        }
        try checked("listen") { Glibc.listen(raw, backlog) }
        return listener
    }

    /// The port of a socket.
    package static func port(of socket: Descriptor) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // SAFETY: the kernel writes a socket address of at most `length` bytes, and the socket is one of IPv4.
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = try checked("getsockname") { getsockname(socket.raw, pointer, &length) }
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// A socket with a port that nobody else is given while it lives, and nobody listens on: connections are refused
    /// until a program of this user listens there that sets SO_REUSEPORT, socket(7).
    package static func reserve() throws -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let holder = Descriptor(owning: try checked("socket") { socket(AF_INET, kind, 0) })
        var on: Int32 = 1
        setsockopt(holder.raw, SOL_SOCKET, SO_REUSEPORT, &on, socklen_t(MemoryLayout<Int32>.size))
        try withSocketAddress(port: 0) { address, length in
            _ = try checked("bind") { bind(holder.raw, address, length) }
        }
        return holder
    }

    /// Whether something listens on `port`.
    package static func answers(port: Int) -> Bool {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { return false }
        let client = Descriptor(owning: raw)
        return withSocketAddress(port: port) { connect(client.raw, $0, $1) == 0 }
    }

    /// A socket that is connecting to `port`, or has connected: it is not waited for.
    package static func connecting(port: Int) throws -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let client = Descriptor(owning: try checked("socket") { socket(AF_INET, kind, 0) })
        _ = withSocketAddress(port: port) { connect(client.raw, $0, $1) }
        return client
    }

    private static func withSocketAddress<Value>(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Value
    ) rethrows -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // SAFETY: a sockaddr_in is read as the sockaddr it begins with, of the length that is told.
        return try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, length) }
        }
    }
}
