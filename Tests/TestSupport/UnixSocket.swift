import CLinux
import Glibc
package import Platform

/// Unix sockets, as the service manager makes them.
package enum UnixSocket {
    /// One that takes datagrams at `path`.
    package static func datagrams(at path: String) throws -> Descriptor {
        let socket = Descriptor(owning: try checked("socket") { clinux_unix_datagram_socket() }, path: path)
        try bind(socket, to: path)
        return socket
    }

    /// One that listens at `path`.
    package static func listening(at path: String) throws -> Descriptor {
        let socket = try stream(at: path)
        try checked("listen", path: path) { listen(socket.raw, 16) }
        return socket
    }

    /// One for connections, at `path`, that does not listen.
    package static func stream(at path: String) throws -> Descriptor {
        let socket = Descriptor(owning: try checked("socket") { clinux_unix_socket() }, path: path)
        try bind(socket, to: path)
        return socket
    }

    /// The datagrams that wait, as text.
    package static func received(by socket: Descriptor) -> [String] {
        var texts: [String] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket.raw, &bytes, bytes.count, 0)
            guard count >= 0 else { return texts }
            texts.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
    }

    private static func bind(_ socket: Descriptor, to path: String) throws {
        guard let address = SocketAddress(path: path) else { throw SystemError("bind", path: path, code: ENAMETOOLONG) }
        try checked("bind", path: path) { address.bind(socket.raw) }
    }
}
