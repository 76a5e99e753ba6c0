import ControlAPI
import ControlServer
import Foundation
import Glibc
import Platform
import TestSupport

/// A server on a socket in a directory of its own, and the ways to ask it.
final class ServedSocket: Sendable {
    let socket: ListeningSocket
    let server: ControlServer
    private let directory: TemporaryDirectory

    init(_ service: FakeService = FakeService()) throws {
        directory = try TemporaryDirectory()
        socket = try ListeningSocket(path: directory.path("s"))
        server = try ControlServer(
            listening: socket.descriptor, service: service, log: Log(program: "test", level: .error))
    }

    deinit {
        server.stop()
    }

    var path: String { socket.path }

    /// The answer to one request by this project's own client.
    func send(_ request: ControlRequest) async throws -> ControlResponse {
        let path = path
        return try await offPool {
            guard let client = ControlClient(socketPath: path) else { throw CancellationError() }
            return try client.send(request)
        }
    }

    /// All that the server sends for these bytes until it closes the connection.
    func exchange(_ text: String) async throws -> String {
        let path = path
        return try await offPool {
            let client = try RawClient(path)
            try client.send(text)
            return try client.receiveAll()
        }
    }

    /// The status and headers that a request with these header lines is answered with.
    func head(_ requestLine: String, headers: [String] = ["Host: localhost"]) async throws -> [String] {
        let lines = [requestLine] + headers + ["Connection: close", "", ""]
        let text = try await exchange(lines.joined(separator: "\r\n"))
        return text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
    }

    /// The HTTP status alone.
    func status(_ requestLine: String, headers: [String] = ["Host: localhost"]) async throws -> Int? {
        try await head(requestLine, headers: headers)[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// What the `curl` command prints. By popen(3): Foundation's Process reads the list of open descriptors while
    /// other tests change it, and crashes.
    func curl(_ arguments: String...) async throws -> String {
        let words = ["curl", "--silent", "--noproxy", "*", "--max-time", "10", "--unix-socket", path] + arguments
        let command = words.map { "'\($0.replacingOccurrences(of: "'", with: "'\\''"))'" }.joined(separator: " ")
        return try await offPool {
            guard let stream = popen(command, "re") else { throw SystemError("popen") }
            defer { pclose(stream) }
            var output: [UInt8] = []
            while case let byte = fgetc(stream), byte != EOF { output.append(UInt8(byte)) }
            return String(decoding: output, as: UTF8.self)
        }
    }
}
