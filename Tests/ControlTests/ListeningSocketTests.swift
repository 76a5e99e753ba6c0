import ControlServer
import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite("The socket's place in the filesystem")
struct ListeningSocketTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try checked("stat", path: path) { stat(path, &status) }
        return status.st_mode
    }

    @Test("Its directory is made, and only owner and group may connect")
    func modes() throws {
        let path = directory.path("run/deeper/storiesd.sock")
        let socket = try ListeningSocket(path: path)
        #expect(try mode(path) == S_IFSOCK | 0o660)
        #expect(try mode(directory.path("run/deeper")) & 0o7777 == 0o750)
        try socket.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A path of 107 bytes is taken, a longer one refused with its length")
    func pathLength() throws {
        let stem = directory.path("") + String(repeating: "s", count: 107 - directory.path("").utf8.count)
        _ = try ListeningSocket(path: stem)
        let error = #expect(throws: ListeningSocketError.pathTooLong(path: stem + "s")) {
            try ListeningSocket(path: stem + "s")
        }
        #expect(error?.description.contains("has 108 bytes, 107 is the most") == true)
    }

    @Test("A socket that nobody listens at any more is replaced")
    func staleSocket() throws {
        let path = directory.path("s")
        _ = try ListeningSocket(path: path)
        #expect(try mode(path) & S_IFMT == S_IFSOCK)
        let socket = try ListeningSocket(path: path)
        _ = try RawClient(socket.path)
    }

    @Test("A live socket is left alone")
    func liveSocket() throws {
        let path = directory.path("s")
        let first = try ListeningSocket(path: path)
        #expect(throws: ListeningSocketError.inUse(path: path)) { try ListeningSocket(path: path) }
        _ = try RawClient(first.path)
    }

    @Test("What is no socket is left alone", arguments: ["file", "directory", "link", "fifo", "datagram"])
    func occupied(kind: String) throws {
        let path = directory.path(kind)
        var datagramSocket: Descriptor?
        switch kind {
        case "file": try "precious".write(toFile: path, atomically: false, encoding: .utf8)
        case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
        case "fifo": mkfifo(path, 0o600)
        default: datagramSocket = try UnixSocket.datagrams(at: path)
        }
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(throws: ListeningSocketError.occupied(path: path)) { try ListeningSocket(path: path) }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
        withExtendedLifetime(datagramSocket) {}
    }

    @Test("Another socket that took the place is not removed")
    func replaced() throws {
        let path = directory.path("s")
        let first = try ListeningSocket(path: path)
        unlink(path)
        let second = try ListeningSocket(path: path)
        try first.remove()
        _ = try RawClient(second.path)
        try second.remove()
        try second.remove()
    }

    @Test("A path without a directory is refused", arguments: ["", "s"])
    func noPath(path: String) {
        #expect(throws: ListeningSocketError.self) { try ListeningSocket(path: path) }
    }

    @Test("A passed socket is used as it is, and left where it is")
    func passed() throws {
        let path = directory.path("s")
        let given = try UnixSocket.listening(at: path)
        chmod(path, 0o604)
        try checked("fcntl") { fcntl(given.raw, F_SETFL, 0) }
        let socket = try ListeningSocket(passed: [given])
        #expect(socket.path == path)
        #expect(fcntl(given.raw, F_GETFL) & O_NONBLOCK != 0)
        _ = try RawClient(path)
        try socket.remove()
        #expect(try mode(path) == S_IFSOCK | 0o604)
    }

    @Test("Another thing that is passed is refused", arguments: ["none", "two", "file", "datagram", "deaf", "TCP"])
    func unfit(kind: String) throws {
        let path = directory.path(kind)
        let passed: [Descriptor] =
            switch kind {
            case "none": []
            case "two": [try UnixSocket.listening(at: path), try UnixSocket.listening(at: path + "2")]
            case "file": [try Directory.open(directory.path).descriptor]
            case "datagram": [try UnixSocket.datagrams(at: path)]
            case "deaf": [try UnixSocket.stream(at: path)]
            default: [try tcpSocket()]
            }
        let error = #expect(throws: ListeningSocketError.self) { try ListeningSocket(passed: passed) }
        #expect(error?.description.hasPrefix("socket activation: ") == true)
    }

    private func tcpSocket() throws -> Descriptor {
        let socket = Descriptor(
            owning: try checked("socket") { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) })
        try checked("listen") { listen(socket.raw, 1) }
        return socket
    }
}
