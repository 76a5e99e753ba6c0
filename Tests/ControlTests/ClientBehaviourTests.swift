import ControlAPI
import ControlServer
import Foundation
import Platform
import TestSupport
import Testing

@Suite("Clients that misbehave, and many at once", .timeLimit(.minutes(1)))
struct ClientBehaviourTests {
    @Test("One that says nothing holds nobody up")
    func silentClient() async throws {
        let served = try ServedSocket()
        let silent = try RawClient(served.path)
        let halfWay = try RawClient(served.path)
        try halfWay.send("GET /v1/status HT")
        #expect(try await served.send(.health).isSuccess)
        _ = (silent, halfWay)
    }

    @Test("One that vanishes while the daemon works for it holds nobody up")
    func vanishedClient() async throws {
        let gate = ServiceGate()
        let served = try ServedSocket(FakeService(beforeStatus: { await gate.pass() }))
        do {
            let client = try RawClient(served.path)
            try client.send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await gate.arrival()
        }
        #expect(try await served.send(.health).isSuccess)
        gate.open()
        #expect(try await served.send(.status).isSuccess)
    }

    @Test("A slow answer to one is no delay for another")
    func slowAnswer() async throws {
        let gate = ServiceGate()
        let served = try ServedSocket(FakeService(beforeStatus: { await gate.pass() }))
        async let slow = served.send(.status)
        await gate.arrival()
        #expect(try await served.send(.health).isSuccess)
        gate.open()
        #expect(try await slow.isSuccess)
    }

    @Test("As many requests at once as one user may have connections are all answered")
    func manyClients() async throws {
        let served = try ServedSocket()
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<192 {
                group.addTask {
                    try await served.send(index.isMultiple(of: 2) ? .status : .story(id: "a", group: nil)).isSuccess
                }
            }
            return try await group.reduce(into: 0) { count, isSuccess in count += isSuccess ? 1 : 0 }
        }
        #expect(answers == 192)
    }

    @Test("Of a burst of one user beyond the cap each is answered, if only that it is too much", arguments: 0..<3)
    func burst(round: Int) async throws {
        let served = try ServedSocket()
        let path = served.path
        let statuses = try await offPool {
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let clients = try (0..<400).map { _ in
                let client = try RawClient(path)
                try client.send(request)
                return client
            }
            return try clients.map { try $0.receiveAll().prefix(12).suffix(3) }
        }
        // The grace of who must go is a matter of milliseconds: a machine that stands still that long may cost a few.
        #expect(statuses.count { $0 != "200" && $0 != "429" } <= 8)
        #expect(statuses.count { $0 == "200" } >= 184)
    }

    @Test("One connection takes request after request")
    func keptConnection() async throws {
        let served = try ServedSocket()
        let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let answer = try await served.exchange(
            request + request + "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.components(separatedBy: "HTTP/1.1 200").count == 3)
        #expect(answer.components(separatedBy: "HTTP/1.1 404").count == 2)
    }

    @Test("Stopping does not wait for clients, nor for the daemon")
    func stopping() async throws {
        let gate = ServiceGate()
        let served = try ServedSocket(FakeService(beforeStatus: { await gate.pass() }))
        let silent = try RawClient(served.path)
        let waiting = try RawClient(served.path)
        try waiting.send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await gate.arrival()
        let elapsed = try await offPool { SuspendingClock().measure { served.server.stop() } }
        #expect(elapsed < .seconds(2))
        // Both are told by the end of their connections.
        _ = try await offPool { try silent.receiveAll() + waiting.receiveAll() }
        served.server.stop()
    }

    @Test("Stopping in the midst of requests is clean, whenever it comes", arguments: 0..<20)
    func stoppingUnderLoad(round: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        var socket: ListeningSocket? = try ListeningSocket(path: path)
        let server = try ControlServer(
            listening: #require(socket).descriptor, service: FakeService(), log: Log(program: "test", level: .error))
        let request = "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let clients = try (0..<8).map { _ in try RawClient(path) }
        for client in clients { try client.send(String(repeating: request, count: 20)) }
        // Between none and all of the requests are done by now.
        for _ in 0..<round {
            _ = try await offPool { try ControlClient(socketPath: path)?.send(.health) }
        }
        try await offPool { server.stop() }
        // Those that were not let in yet are sent away with the socket.
        socket = nil
        try await offPool { for client in clients { _ = try client.receiveAll() } }
    }

    @Test("A server that is dropped is a server that is stopped")
    func dropped() async throws {
        let directory = try TemporaryDirectory()
        let socket = try ListeningSocket(path: directory.path("s"))
        _ = try ControlServer(
            listening: socket.descriptor, service: FakeService(), log: Log(program: "test", level: .error))
        let again = try ControlServer(
            listening: socket.descriptor, service: FakeService(), log: Log(program: "test", level: .error))
        #expect(
            try await offPool { try ControlClient(socketPath: socket.path)?.send(.health).isSuccess } == true)
        again.stop()
    }

    @Test("All descriptors are given back")
    func descriptors() async {
        // A process of its own: other tests open and close descriptors too.
        await #expect(processExitsWith: .success) {
            func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            func round() async throws {
                let served = try ServedSocket()
                for _ in 0..<20 { _ = try await served.send(.status) }
                let silent = try RawClient(served.path)
                _ = try await served.status("GET /v1/status HTTP/1.1", headers: ["Host: evil"])
                served.server.stop()
                _ = silent
            }
            // What is opened once stays open: the first round is not counted.
            try await round()
            let before = try count()
            for _ in 0..<3 { try await round() }
            try #require(count() == before)
        }
    }
}
