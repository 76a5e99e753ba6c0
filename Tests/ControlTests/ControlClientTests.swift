import ControlAPI
import ControlServer
import TestSupport
import Testing

@Suite("The client without a daemon")
struct ControlClientTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// What asking at that path fails with.
    private func failure(_ path: String) async throws -> ControlClientError? {
        try await offPool {
            let client = try #require(ControlClient(socketPath: path, timeout: 1))
            return #expect(throws: ControlClientError.self) { try client.send(.status) }
        }
    }

    @Test("A missing socket is told with its path and the remedy")
    func missing() async throws {
        let path = directory.path("none")
        let error = try await failure(path)
        #expect(error == .unreachable(socketPath: path, reason: "there is no such socket"))
        #expect(error?.description.contains("Is storiesd running?") == true)
    }

    @Test("A socket that nobody listens at is told as such")
    func stale() async throws {
        let path = directory.path("stale")
        _ = try ListeningSocket(path: path)
        #expect(try await failure(path) == .unreachable(socketPath: path, reason: "nobody listens there any more"))
    }

    @Test("A path too long for a socket is no crash")
    func longPath() async throws {
        let path = directory.path(String(repeating: "x", count: 200))
        guard case .unreachable? = try await failure(path) else {
            Issue.record("not unreachable")
            return
        }
    }

    @Test("A daemon that never answers is given up")
    func silentDaemon() async throws {
        let path = directory.path("silent")
        let socket = try ListeningSocket(path: path)
        let error = try await failure(path)
        #expect(error == .unreachable(socketPath: path, reason: "no answer within 1 s"))
        _ = socket
    }

    @Test("An answer that is no JSON is told as foreign")
    func foreignAnswer() {
        #expect(throws: ControlClientError.unreadable(status: 200)) {
            try ControlResponse(status: 200, body: Array("<html>".utf8)).object()
        }
        #expect(throws: ControlClientError.unreadable(status: 200)) {
            try ControlResponse(status: 200, body: Array("{}".utf8)).decoded(StatusReport.init(json:))
        }
        #expect(throws: ControlClientError.unreadable(status: 500)) {
            try ControlResponse(status: 500, body: Array("{}".utf8)).object()
        }
    }
}
