import Foundation
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

/// More stories than memory is allowed for.
@Suite(.timeLimit(.minutes(1))) struct ParkingTests {
    /// Every story is larger than this: one at a time is worked at.
    private func narrow() async throws -> PrefetchFixture { try await PrefetchFixture { $0.maximumLiveBytes = 1 } }

    @Test func `a story behind a full memory is accepted at once, and ready once there is a place`() async throws {
        let fixture = try await narrow()
        let gates = try fixture.hold(["/held"])
        fixture.serve(["/a", "/b"])
        try await fixture.accept("held", ["/held"])
        try await fixture.accept("next", ["/a", "/b"])
        #expect(try fixture.manifest("next")?.state == .prefetching)
        #expect(await fixture.prefetcher.live.count == 1)
        #expect(await fixture.prefetcher.parked.count == 1)
        #expect(fixture.requests["/a"] == nil)
        try await fixture.acceptPayload(#"{"p": "plain", "aps": {"alert": "nothing to show"}}"#)
        #expect(try fixture.manifest("plain")?.settled == true, "what needs no place waits for nobody")
        gates[0].open()
        _ = try await fixture.waitFor("next") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        #expect(await fixture.prefetcher.parked.count == 0)
    }

    @Test func `many stories through one place are all ready, each picture asked for once`() async throws {
        let fixture = try await narrow()
        let names = (0..<40).map { "s\($0)" }
        fixture.serve(names.flatMap { ["/\($0)/0", "/\($0)/1"] })
        for name in names { try await fixture.accept(name, ["/\(name)/0", "/\(name)/1"]) }
        for name in names { _ = try await fixture.waitFor(name) { $0.state == .ready } }
        #expect(fixture.requests.values.allSatisfy { $0 == 1 })
        #expect(await fixture.isAtRest())
        #expect(await fixture.prefetcher.live.footprint == 0)
    }

    @Test func `a parked story is settled by its deadline, and its picture comes later`() async throws {
        let fixture = try await PrefetchFixture {
            $0.maximumLiveBytes = 1
            $0.storyDeadline = .milliseconds(300)
        }
        let gates = try fixture.hold(["/held"])
        fixture.serve(["/a"])
        try await fixture.accept("held", ["/held"])
        try await fixture.accept("parked", ["/a"])
        let settled = try await fixture.waitFor("parked") { $0.settled }
        #expect(settled.state == .failed && settled.pages[0].state == .pending())
        #expect(fixture.requests["/a"] == nil, "the one in memory has a transfer under way and keeps its place")
        gates[0].open()
        let ready = try await fixture.waitFor("parked") { $0.state == .ready }
        #expect(ready.revision > settled.revision && ready.settled)
    }

    @Test func `a story that rests between rounds gives up its place, and has its next round all the same`()
        async throws
    {
        let fixture = try await narrow()
        fixture.serve(["/good"])
        fixture.origin.script("/bad", .status("503 Service Unavailable"))
        try await fixture.accept("bad", ["/bad"])
        _ = try await fixture.waitFor("bad") { $0.settled }
        let tried = fixture.requests["/bad"]
        try await fixture.accept("good", ["/good"])
        _ = try await fixture.waitFor("good") { $0.state == .ready }
        fixture.serve(["/bad"])
        _ = try await fixture.waitFor("bad") { $0.state == .ready }
        #expect(try #require(fixture.requests["/bad"]) == 1 + #require(tried))
    }

    @Test func `a parked story that is replaced is forgotten, and the new one comes`() async throws {
        let fixture = try await narrow()
        let gates = try fixture.hold(["/held"])
        fixture.serve(["/old", "/new"])
        try await fixture.accept("held", ["/held"])
        try await fixture.accept("a", ["/old"])
        try await fixture.accept("a", ["/new"])
        #expect(await fixture.prefetcher.parked.count == 1)
        gates[0].open()
        let ready = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(ready.pages.count == 1 && fixture.requests["/old"] == nil)
    }

    @Test func `parked stories are taken up after a restart, and no more of them at once than memory allows`()
        async throws
    {
        let first = try await narrow()
        let gates = try first.hold(["/held"])
        first.serve((0..<5).map { "/\($0)" })
        try await first.accept("held", ["/held"])
        for number in 0..<5 { try await first.accept("s\(number)", ["/\(number)"]) }
        await first.stop()
        let second = try await PrefetchFixture(after: first, recovers: false) { $0.maximumLiveBytes = 1 }
        await second.prefetcher.recover()
        #expect(await second.prefetcher.live.count == 1)
        #expect(await second.prefetcher.parked.count == 5)
        gates[0].open()
        for number in 0..<5 { _ = try await second.waitFor("s\(number)") { $0.state == .ready } }
        _ = try await second.waitFor("held") { $0.state == .ready }
        #expect(await second.isAtRest())
    }

    @Test func `the same payload again leaves a story in its place, with its transfer`() async throws {
        let fixture = try await narrow()
        let gates = try fixture.hold(["/held"])
        try await fixture.accept("held", ["/held"])
        #expect(await eventually { fixture.requests["/held"] == 1 })
        try await fixture.accept("held", ["/held"])
        #expect(await fixture.prefetcher.live.count == 1)
        gates[0].open()
        _ = try await fixture.waitFor("held") { $0.state == .ready }
        #expect(fixture.requests["/held"] == 1)
    }

    @Test func `a parked story that comes again keeps its deadline, and what was given up is tried again`() async throws
    {
        let fixture = try await narrow()
        fixture.serve(["/good"])
        fixture.origin.script("/bad", .status("404 Not Found"))
        try await fixture.accept("a", ["/good", "/bad"])
        _ = try await fixture.waitFor("a") { $0.state == .partial }
        let gates = try fixture.hold(["/held"])
        try await fixture.accept("held", ["/held"])
        try await fixture.accept("b", ["/good2"])
        let deadline = await fixture.deadline(ofParked: "b")
        try await fixture.accept("b", ["/good2"])
        #expect(await fixture.deadline(ofParked: "b") == deadline && deadline != nil)
        try await fixture.accept("a", ["/good", "/bad"])
        #expect(fixture.requests["/bad"] == 1)
        fixture.serve(["/good2", "/bad"])
        gates[0].open()
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        _ = try await fixture.waitFor("b") { $0.state == .ready }
        #expect(await fixture.isAtRest())
    }

    @Test func `a round of a story that is parked in the midst of it ends as any other`() async throws {
        let fixture = try await PrefetchFixture {
            $0.maximumLiveBytes = 1
            $0.storyDeadline = .milliseconds(50)
            $0.queue.retry.maxAttempts = 3
        }
        fixture.origin.script("/bad", .status("503 Service Unavailable"))
        fixture.serve(["/good"])
        try await fixture.accept("bad", ["/bad"])
        try await fixture.accept("good", ["/good"])
        let failed = try await fixture.waitFor("bad") { if case .failed = $0.pages[0].state { true } else { false } }
        #expect(failed.pages[0].attempts == 3)
        _ = try await fixture.waitFor("good") { $0.state == .ready }
    }

    @Test func `a story whose host is free takes the place of one that waits for a full host`() async throws {
        let fixture = try await PrefetchFixture {
            $0.maximumLiveBytes = 30_000
            $0.queue.perHost = 1
        }
        // The host has one slot, and the transfer in it hangs; by another name it is another host.
        let gates = try fixture.hold(["/held"])
        try await fixture.accept("held", ["/held"])
        let names = (0..<40).map { "waits\($0)" }
        fixture.serve(names.map { "/\($0)" } + ["/good"])
        for name in names { try await fixture.accept(name, ["/\(name)"]) }
        #expect(await fixture.prefetcher.parked.count > 0)
        try await fixture.accept("good", ["/good"], host: "localhost")
        _ = try await fixture.waitFor("good") { $0.state == .ready }
        #expect(try fixture.manifest("held")?.state == .prefetching)
        gates[0].open()
        for name in names { _ = try await fixture.waitFor(name) { $0.state == .ready } }
        #expect(await fixture.isAtRest())
    }
}
