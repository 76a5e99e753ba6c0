import ControlAPI
import Foundation
import Glibc
import Platform
import TestSupport
import Testing

/// A daemon that is passed its socket, sd_listen_fds(3).
@Suite(.timeLimit(.minutes(1)))
struct SocketActivationTests {
    private let place: DaemonPlace

    init() throws {
        place = try DaemonPlace()
    }

    /// Only the process itself knows its number.
    private func start(_ descriptors: [Descriptor], _ settings: [String] = []) throws -> DaemonProcess {
        try DaemonProcess(
            place, shell: #"LISTEN_PID=$$ exec "$0" "$@""#, settings,
            environment: ["LISTEN_FDS": "\(descriptors.count)", "LISTEN_FDNAMES": "storiesd.socket"],
            descriptors: descriptors)
    }

    @Test func `the passed socket is used, stays as it is, and serves the next daemon too`() async throws {
        let socket = try UnixSocket.listening(at: place.socket)
        try checked("chmod") { chmod(place.socket, 0o604) }
        let before = try place.status(place.socket)
        for _ in 1...2 {
            // Somebody asks before there is a daemon: the answer comes when there is one.
            let place = place
            async let early = Task.detached { try ControlClient(socketPath: place.socket)?.send(.status).status }.value
            let daemon = try start([socket], ["socket=\(place.path("other.sock"))"])
            #expect(try await early == 200)
            try await daemon.waitUntilReady()
            #expect(access(place.path("other.sock"), F_OK) != 0)
            #expect(daemon.log.contains("is used, \(place.socket), not that of the configuration"))
            #expect(try await daemon.terminate() == .exited(0))
            let after = try place.status(place.socket)
            #expect(after.inode == before.inode && after.mode == before.mode)
        }
    }

    @Test func `what is passed to another process is not taken`() async throws {
        let socket = try UnixSocket.listening(at: place.path("passed.sock"))
        let daemon = try DaemonProcess(
            place, shell: #"exec "$0" "$@""#, environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"],
            descriptors: [socket])
        try await daemon.waitUntilReady()
        #expect(try place.status(place.socket).kind != .regular)
    }

    @Test(arguments: ["a file", "a datagram socket", "one that does not listen", "two", "nonsense"])
    func `anything else that is passed ends it with 1 and the reason`(kind: String) async throws {
        let path = place.path("passed")
        var passed: [Descriptor] = []
        switch kind {
        case "a file": passed = [try Directory.open(place.inbox).descriptor]
        case "a datagram socket": passed = [try UnixSocket.datagrams(at: path)]
        case "one that does not listen": passed = [try UnixSocket.stream(at: path)]
        case "two": passed = [try UnixSocket.listening(at: path), try UnixSocket.listening(at: "\(path)2")]
        default: break
        }
        let daemon =
            if passed.isEmpty {
                try DaemonProcess(
                    place, shell: #"LISTEN_PID=$$ exec "$0" "$@""#, environment: ["LISTEN_FDS": "many"])
            } else {
                try start(passed)
            }
        #expect(try await daemon.waitForEnd() == .exited(1))
        #expect(daemon.log.contains(passed.isEmpty ? "LISTEN_FDS" : "socket activation"), "\(daemon.log)")
    }
}
