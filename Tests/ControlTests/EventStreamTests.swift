import ControlAPI
import ControlServer
import Foundation
import JSON
import Platform
import TestSupport
import Testing

@Suite("Events over the socket", .timeLimit(.minutes(1)))
struct EventStreamTests {
    private static let request = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// A server whose readers of events all get one stream, for one reader.
    private static func serve() throws -> (ServedSocket, EventStream) {
        let stream = EventStream()
        return (try ServedSocket(FakeService(makeStream: { stream })), stream)
    }

    private static func line(_ number: Int) -> [UInt8] {
        Event(
            at: "2026-01-02T03:04:05.678Z", group: nil, id: "\(number)",
            .pageProgress(Event.Page(index: number, state: "pending"))
        ).line
    }

    private static func event(_ line: [UInt8]) throws -> Event {
        let json = try #require(try JSONParser.parse(line).objectValue)
        return try #require(try Event(json: json))
    }

    /// Reads lines until the daemon ends the answer, or `onLine` says that it is enough.
    private static func read(_ served: ServedSocket, onLine: @escaping @Sendable (Event) -> Bool) async throws {
        let path = served.path
        try await offPool {
            let client = try #require(ControlClient(socketPath: path))
            var problem: (any Error)?
            try client.stream(.events) { line in
                do { return onLine(try Self.event(line)) } catch {
                    problem = error
                    return false
                }
            }
            if let problem { throw problem }
        }
    }

    @Test("HEAD is answered as GET but for the events, takes no stream, and has no body")
    func headOnly() async throws {
        let served = try ServedSocket(FakeService(makeStream: { nil }))
        let answer = try await served.exchange("HEAD /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n"))
        #expect(answer.components(separatedBy: "\r\n\r\n").count == 2)
        #expect(answer.contains("\r\nContent-Type: application/x-ndjson\r\n"))
        #expect(!answer.contains("Content-Length") && !answer.contains("Transfer-Encoding"))
    }

    @Test("The head comes at once, and then each line as it is told")
    func asItHappens() async throws {
        let (served, stream) = try Self.serve()
        let client = try RawClient(served.path)
        try client.send(Self.request)
        let head = try await offPool { try client.receive(until: "\r\n\r\n") }
        #expect(head.hasPrefix("HTTP/1.1 200"))
        #expect(head.contains("Content-Type: application/x-ndjson"))
        for number in 0..<3 {
            stream.add(Self.line(number))
            let text = try await offPool { try client.receive(until: "}\n\r\n") }
            #expect(text.contains(#""id":"\#(number)""#))
        }
    }

    @Test("A reader gets all events, in order, however fast they come, and goes when it likes")
    func order() async throws {
        let (served, stream) = try Self.serve()
        let count = 2000
        for number in 0..<count { stream.add(Self.line(number)) }
        let seen = Locked<[String?]>([])
        try await Self.read(served) { event in
            seen.withLock { seen in
                seen.append(event.id)
                return seen.count < count
            }
        }
        #expect(seen.withLock { $0 } == (0..<count).map { "\($0)" })
        #expect(await eventually { stream.isEnded })
    }

    @Test("A reader that is too slow is told once how much it misses, and then goes on")
    func lagging() async throws {
        let (served, stream) = try Self.serve()
        let sent = EventStream.maximumEvents + 500
        for number in 0..<sent { stream.add(Self.line(number)) }
        let seen = Locked<(ids: [String], missed: [Int])>(([], []))
        try await Self.read(served) { event in
            seen.withLock { seen in
                if case .lagged(let missed) = event.news {
                    seen.missed.append(missed)
                    stream.add(Self.line(sent))
                } else {
                    seen.ids.append(event.id ?? "")
                }
                return event.id != "\(sent)"
            }
        }
        let (ids, missed) = seen.withLock { $0 }
        let told = ids.count - 1
        #expect(ids == (0..<told).map { "\($0)" } + ["\(sent)"])
        #expect(missed == [sent - told])
    }

    @Test("One that reads nothing holds nobody up and costs no more than its stream")
    func stuckReader() async throws {
        let (served, stream) = try Self.serve()
        let client = try RawClient(served.path)
        try client.send(Self.request)
        _ = try await offPool { try client.receive(until: "\r\n\r\n") }
        for number in 0..<100_000 { stream.add(Self.line(number)) }
        #expect(try await served.send(.status).isSuccess)
        let elapsed = try await offPool { SuspendingClock().measure { served.server.stop() } }
        #expect(elapsed < .seconds(2))
        _ = client
    }

    @Test("A reader that has gone is noticed, though nothing happens")
    func vanished() async throws {
        let (served, stream) = try Self.serve()
        do {
            let client = try RawClient(served.path)
            try client.send(Self.request)
            _ = try await offPool { try client.receive(until: "\r\n\r\n") }
        }
        #expect(await eventually { stream.isEnded })
        #expect(try await served.send(.status).isSuccess)
    }

    @Test("Stopping ends the answer properly")
    func stopping() async throws {
        let (served, stream) = try Self.serve()
        stream.add(Self.line(0))
        let begun = AsyncStream<Void>.makeStream()
        async let reading: Void = Self.read(served) { _ in
            begun.continuation.yield()
            return true
        }
        for await _ in begun.stream { break }
        let elapsed = try await offPool { SuspendingClock().measure { served.server.stop() } }
        // An answer that broke off would be an error.
        try await reading
        #expect(elapsed < .seconds(2))
        #expect(stream.isEnded)
    }

    @Test("Stopping is clean whenever it comes, with readers that come and go", arguments: 0..<10)
    func stoppingUnderLoad(round: Int) async throws {
        let streams = Locked<[EventStream]>([])
        let served = try ServedSocket(
            FakeService(makeStream: {
                let stream = EventStream()
                streams.withLock { $0.append(stream) }
                return stream
            }))
        let clients = try (0..<16).map { _ in try RawClient(served.path) }
        for client in clients { try client.send(Self.request) }
        for number in 0..<round * 20 {
            for stream in streams.withLock({ $0 }) { stream.add(Self.line(number)) }
            if number.isMultiple(of: 20) { _ = try await served.send(.health) }
        }
        try await offPool { served.server.stop() }
    }

    @Test("A refusal is told as one")
    func refused() async throws {
        let served = try ServedSocket(FakeService(makeStream: { nil }))
        await #expect(throws: ControlClientError.self) { try await Self.read(served) { _ in true } }
        #expect(try await served.status("GET /v1/events?a=b HTTP/1.1") == 400)
        #expect(try await served.status("POST /v1/events HTTP/1.1") == 405)
    }

    @Test("Each event comes back from its line as it was")
    func forms() throws {
        let story = Event.Story(revision: 2, state: "ready", pages: 3, cached: 2)
        let page = Event.Page(
            index: 1, state: "failed", bytes: 5, total: 7, code: "dns", retryAt: "2026-01-02T03:04:05.678Z")
        let news: [Event.News] = [
            .storyAccepted(story), .storySettled(story), .storyUpdated(story), .storyDeleted(evicted: true),
            .pageProgress(page), .pageCached(Event.Page(index: 0, state: "cached")), .pageFailed(page),
            .payloadRejected(file: "a.json", code: "not_json", message: "no"), .cacheEvicted(objects: 1, bytes: 2),
            .cacheCorrupt(file: "objects/ab/abcd.png"), .lagged(missed: 9),
        ]
        for news in news {
            let event = Event(at: "2026-01-02T03:04:05.678Z", group: nil, id: nil, news)
            #expect(try Self.event(event.line) == event)
            #expect(event.line.last == UInt8(ascii: "\n") && event.line.count { $0 == UInt8(ascii: "\n") } == 1)
        }
        #expect(try Event(json: ["at": "x", "event": "moon.risen"]) == nil)
        #expect(throws: JSONFieldError.self) { try Event(json: ["event": "lagged"]) }
    }
}
