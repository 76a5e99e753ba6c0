import Glibc
import Platform

/// A client that sends what it is told, byte for byte. Its calls block for at most ten seconds; closed with the last
/// reference.
package final class RawClient: Sendable {
    private let descriptor: Descriptor

    package init(_ path: String) throws {
        descriptor = Descriptor(
            owning: try checked("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) })
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            descriptor.raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try checked("connect", path: path) {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    package func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        try checked("send") { Glibc.send(descriptor.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// What comes, up to and with the first `end`; all where the server closes the connection before that.
    package func receive(until end: String) throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.reversed().starts(with: end.utf8.reversed()) {
            let count = recv(descriptor.raw, &byte, 1, 0)
            guard count >= 0 else { throw SystemError("recv") }
            if count == 0 { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends as much as the socket takes at once; answers how many bytes that is, nil where the server has closed it.
    package func push(_ bytes: ArraySlice<UInt8>) throws -> Int? {
        let count = bytes.withUnsafeBytes { bytes in
            Glibc.send(descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        if count >= 0 { return count }
        switch errno {
        case EAGAIN, EINTR: return 0
        case EPIPE, ECONNRESET: return nil
        default: throw SystemError("send")
        }
    }

    /// All that comes until the server closes the connection.
    package func receiveAll() throws -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor.raw, &chunk, chunk.count, 0)
            // A server that closes without having read all resets the connection.
            guard count >= 0 || errno == ECONNRESET else { throw SystemError("recv") }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
