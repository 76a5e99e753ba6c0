import Addresses
import Glibc
import Hashing
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// Many transfers at once, slow ones, and the ways they end early.
@Suite(.timeLimit(.minutes(1)))
struct LoopTests {
    private let picture = SampleImages.jpeg(seed: 5, bytes: 9982)
    private let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 9982\r\n\r\n".utf8)

    @Test func `a hundred pictures arrive side by side, each as it is`() async throws {
        let fixture = try TransferFixture()
        let pictures = (0..<100).map { SampleImages.jpeg(seed: $0, bytes: 2000 + 997 * $0) }
        for (index, picture) in pictures.enumerated() { fixture.origin.script("/\(index)", .ok(picture)) }
        try await withThrowingTaskGroup(of: (Int, ContentID).self) { group in
            for index in pictures.indices {
                group.addTask { (index, try await fixture.fetch("/\(index)").get().content) }
            }
            for try await (index, content) in group { #expect(content == ContentID.of(pictures[index])) }
        }
        #expect(fixture.origin.requests.count == 100)
        #expect(fixture.loop.statistics == .init(active: 0, bytesReceived: Int64(pictures.reduce(0) { $0 + $1.count })))
    }

    @Test func `one after the other they share a connection`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .ok(picture))
        for _ in 0..<5 { _ = try await fixture.fetch("/p").get() }
        #expect(fixture.origin.connections == 1)
    }

    @Test func `an origin that never answers, or stops in the middle, or drips, has stalled; others do not notice`()
        async throws
    {
        let fixture = try TransferFixture { $0.stallTimeout = .milliseconds(300) }
        fixture.origin.script("/never", ScriptedAnswer(.stall))
        fixture.origin.script("/stops", ScriptedAnswer(.bytes(head + picture.prefix(5000)), .stall))
        fixture.origin.script("/drips", ScriptedAnswer(.bytes(head), .drip(picture, every: .milliseconds(50))))
        fixture.origin.script("/p", .ok(picture))
        async let never = fixture.failure("/never")
        async let stops = fixture.failure("/stops")
        async let drips = fixture.failure("/drips")
        #expect(await eventually { fixture.origin.requests.count == 3 })
        // Those have begun; the others are not to be hurried.
        fixture.loop.update(TransferFixture.options)
        for _ in 0..<20 { _ = try await fixture.fetch("/p").get() }
        for failure in [try await never, try await stops, try await drips] {
            #expect(failure.code == .stalled)
            #expect(failure.mayPass)
        }
    }

    @Test func `a transfer that takes longer than a page may has timed out`() async throws {
        let fixture = try TransferFixture { $0.pageTimeout = .milliseconds(200) }
        #expect(try await fixture.failure(of: ScriptedAnswer(.bytes(head), .stall)).code == .timeout)
    }

    @Test func `an address that takes no connection is connect, in time`() async throws {
        // A listener whose queue is full lets further connections hang.
        let listener = try LoopbackSocket.listen(backlog: 0)
        let port = try LoopbackSocket.port(of: listener)
        let fillers = try (0..<3).map { _ in try LoopbackSocket.connecting(port: port) }
        let fixture = try TransferFixture { $0.connectTimeout = .milliseconds(300) }
        let failure = try await fixture.failure("http://127.0.0.1:\(port)/")
        #expect(failure.code == .connect)
        #expect(failure.message == "Connecting timed out.")
        withExtendedLifetime(fillers) {}
    }

    @Test func `a cancelled task ends its transfer and no other`() async throws {
        let fixture = try TransferFixture()
        let gate = try Gate()
        fixture.origin.script(
            "/slow",
            ScriptedAnswer(.bytes(head + picture.prefix(5000)), .wait(gate), .bytes(Array(picture.dropFirst(5000)))))
        let first = Task { try await fixture.fetch("/slow") }
        let second = Task { try await fixture.fetch("/slow") }
        #expect(await eventually { fixture.origin.requests.count == 2 })
        first.cancel()
        #expect(try await first.value == .failure(.cancelled))
        gate.open()
        #expect(try await second.value.get().content == ContentID.of(picture))
    }

    @Test func `a task that was cancelled before it began transfers nothing`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", ScriptedAnswer(.stall))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await fixture.fetch("/p")
        }
        task.cancel()
        #expect(try await task.value == .failure(.cancelled))
    }

    @Test func `stop waits for nothing: all that is under way ends as cancelled, and what comes later too`()
        async throws
    {
        let fixture = try TransferFixture {
            $0.stallTimeout = .seconds(3600)
            $0.pageTimeout = .seconds(3600)
        }
        fixture.origin.script("/p", ScriptedAnswer(.bytes(head + picture.prefix(5000)), .stall))
        let tasks = (0..<10).map { _ in Task { try await fixture.fetch("/p") } }
        #expect(await eventually { fixture.origin.requests.count == 10 })
        await fixture.loop.stop()
        for task in tasks { #expect(try await task.value == .failure(.cancelled)) }
        #expect(try await fixture.fetch("/p") == .failure(.cancelled))
        #expect(fixture.loop.statistics.active == 0)
        await fixture.loop.stop()
    }

    @Test func `new options hold for what begins later`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .ok(picture))
        _ = try await fixture.fetch("/p").get()
        var options = TransferFixture.options
        options.imageBytes = 100
        fixture.loop.update(options)
        #expect(try await fixture.failure("/p").code == .tooLarge)
    }

    @Test func `all transfers together keep to the limit of the rate, small ones too`() async throws {
        let fixture = try TransferFixture { $0.maxBytesPerSecond = 200_000 }
        for index in 0..<20 { fixture.origin.script("/\(index)", .ok(SampleImages.jpeg(seed: index, bytes: 10_000))) }
        fixture.origin.script("/large", .ok(SampleImages.jpeg(seed: 99, bytes: 100_000)))
        let time = try await SuspendingClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for path in (0..<20).map({ "/\($0)" }) + ["/large"] {
                    group.addTask { _ = try await fixture.fetch(path).get() }
                }
                try await group.waitForAll()
            }
            // What has come is paid for before anything else may come.
            _ = try await fixture.fetch("/0").get()
        }
        #expect(time > .milliseconds(1400))
    }

    @Test func `a strict limit of the rate makes nothing stall or time out`() async throws {
        let fixture = try TransferFixture {
            $0.maxBytesPerSecond = 20_000
            $0.stallTimeout = .seconds(1)
            $0.pageTimeout = .milliseconds(1500)
        }
        let picture = SampleImages.jpeg(bytes: 60_000)
        fixture.origin.script("/p", .ok(picture))
        #expect(try await fixture.fetch("/p").get().content == ContentID.of(picture))
    }

    @Test func `the environment's proxy is not asked`() async throws {
        // In a process of its own: environ(7) may not change beside threads that read it.
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            let fixture = try TransferFixture()
            fixture.origin.script("/p", .ok(SampleImages.jpeg(seed: 5, bytes: 9982)))
            _ = try await fixture.fetch("/p").get()
        }
    }
}
