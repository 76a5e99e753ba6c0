import Glibc
import Testing

@testable import Transfers

/// Which connections are cut.
struct ConnectionSocketsTests {
    private let now = SuspendingClock.now
    private let sockets = ConnectionSockets()

    /// A socket of the table, connected to nothing.
    private func opened() throws -> Int32 {
        let socket = sockets.open(family: AF_INET, kind: Int32(SOCK_DGRAM.rawValue), protocolNumber: 0)
        try #require(socket >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            // SAFETY: a sockaddr_in is read as the sockaddr that connect(2) asks for, with its own length.
            UnsafeRawPointer($0).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        return socket
    }

    @Test func `one that never brought anything is cut`() throws {
        let socket = try opened()
        #expect(sockets.cut(socket, ifSilentFor: .seconds(15), at: now))
        #expect(sockets.close(socket) == 0)
    }

    @Test func `one on which another transfer makes progress is left alone`() throws {
        let socket = try opened()
        sockets.progressed(socket, at: now)
        #expect(!sockets.cut(socket, ifSilentFor: .seconds(15), at: now + .seconds(14)))
        #expect(sockets.cut(socket, ifSilentFor: .seconds(15), at: now + .seconds(15)))
        #expect(sockets.close(socket) == 0)
    }

    @Test func `time in which nothing could be done is no silence`() throws {
        let socket = try opened()
        sockets.progressed(socket, at: now)
        sockets.postpone(by: .seconds(60))
        #expect(!sockets.cut(socket, ifSilentFor: .seconds(15), at: now + .seconds(74)))
        #expect(sockets.close(socket) == 0)
    }

    @Test func `one that is closed is forgotten`() throws {
        let socket = try opened()
        #expect(sockets.close(socket) == 0)
        sockets.progressed(socket, at: now)
        #expect(!sockets.cut(socket, ifSilentFor: .zero, at: now + .seconds(1)))
    }
}
