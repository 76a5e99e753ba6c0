import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

@Suite(.timeLimit(.minutes(1))) struct `What is removed` {
    private func key(_ id: String) throws -> StoryKey {
        StoryKey(group: PrefetchFixture.group, id: try #require(StoryID(id)))
    }

    private func objects(_ fixture: PrefetchFixture) async -> Int { await fixture.storage.statistics().objects }

    private func ids(_ fixture: PrefetchFixture) async -> [String] {
        await fixture.prefetcher.stories(limit: 100, after: nil) { _ in true }.records.map(\.key.id.description)
            .sorted()
    }

    @Test func `a story that is removed is gone with what it alone held, and latest.json names the one before`()
        async throws
    {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1", "/2"])
        try await fixture.accept("a", ["/0", "/1"])
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        try await fixture.accept("b", ["/1", "/2"])
        let manifest = try await fixture.waitFor("b") { $0.state == .ready }
        #expect(try await fixture.latestNames("b", revision: manifest.revision))
        #expect(await fixture.isAtRest())

        #expect(try await fixture.prefetcher.remove(key("b")))
        #expect(try fixture.manifest("b") == nil)
        #expect(try fixture.latest()?.id.description == "a")
        #expect(await objects(fixture) == 2)
        #expect(try fixture.manifest("a")?.state == .ready)
        #expect(try await !fixture.prefetcher.remove(key("b")))

        #expect(try await fixture.prefetcher.remove(key("a")))
        #expect(try fixture.latest() == nil)
        #expect(await objects(fixture) == 0)
        #expect(await fixture.prefetcher.statistics.stories.isEmpty)
    }

    @Test func `the transfers of a story that is removed end, and it does not come back`() async throws {
        let fixture = try await PrefetchFixture()
        let gates = try fixture.hold(["/0", "/1"])
        try await fixture.accept("a", ["/0", "/1"])
        try await fixture.accept("b", ["/1"])
        #expect(await eventually { fixture.requests == ["/0": 1, "/1": 1] })
        #expect(try await fixture.prefetcher.remove(key("a")))
        for gate in gates { gate.open() }
        _ = try await fixture.waitFor("b") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        #expect(try fixture.manifest("a") == nil)
        #expect(try fixture.partials().isEmpty)
        #expect(await objects(fixture) == 1)
    }

    @Test func `a parked story is removed like any other`() async throws {
        let fixture = try await PrefetchFixture { $0.maximumLiveBytes = 1 }
        let gates = try fixture.hold(["/0", "/1"])
        for id in ["a", "b"] { try await fixture.accept(id, ["/0", "/1"]) }
        #expect(await fixture.prefetcher.parked.count == 1)
        #expect(try await fixture.prefetcher.remove(key("b")))
        for gate in gates { gate.open() }
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        #expect(try fixture.manifest("b") == nil)
        #expect(await fixture.prefetcher.parked.count == 0)
    }

    @Test func `a removed story that comes again is a new one`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        try await fixture.accept("a", ["/0"])
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(try await fixture.prefetcher.remove(key("a")))
        try await fixture.accept("a", ["/0"])
        #expect(try await fixture.waitFor("a") { $0.state == .ready }.revision == 2)
        #expect(fixture.requests == ["/0": 2])
    }

    @Test func `for so many bytes the oldest settled stories go first, those under way last`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1", "/2", "/3"])
        let gates = try fixture.hold(["/held"])
        let now = Timestamp.now().milliseconds
        for (age, id) in ["d", "c", "b", "a"].enumerated() {
            let paths = id == "a" ? ["/0", "/held"] : ["/\(age + 1)"]
            try await fixture.accept(id, paths, receivedAt: Timestamp(milliseconds: now - Int64(age) * 1000))
            _ = try await fixture.waitFor(id) { $0.pages[0].state.isCached }
        }
        #expect(await eventually { await fixture.prefetcher.writers.isEmpty })
        let all = await fixture.storage.usedBytes
        let removal = await fixture.prefetcher.evict(toBytes: all - 1)
        #expect(removal.stories == 1 && removal.objects == 1)
        #expect(await ids(fixture) == ["a", "c", "d"])
        // All of these settled ones go before the oldest, which is under way.
        let one = await fixture.storage.usedBytes / 3
        _ = await fixture.prefetcher.evict(toBytes: one)
        #expect(await ids(fixture) == ["a"])
        #expect(try fixture.manifest("a")?.settled == false)
        _ = await fixture.prefetcher.evict(toBytes: 1)
        #expect(await ids(fixture) == [])
        for gate in gates { gate.open() }
        #expect(await fixture.isAtRest())
        #expect(try fixture.latest() == nil)
        #expect(await fixture.storage.statistics().evicted == 4)
    }

    @Test func `what is older than asked for goes, and what no story names any more`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1", "/2"])
        let now = Timestamp.now()
        try await fixture.accept("old", ["/0"], receivedAt: now.advanced(bySeconds: -7200))
        _ = try await fixture.waitFor("old") { $0.state == .ready }
        try await fixture.accept("new", ["/1"], receivedAt: now)
        _ = try await fixture.waitFor("new") { $0.state == .ready }
        let removal = await fixture.prefetcher.evict(olderThan: .seconds(3600))
        #expect(removal.stories == 1 && removal.objects == 1)
        #expect(await ids(fixture) == ["new"])
        try await fixture.accept("gone", ["/2"])
        _ = try await fixture.waitFor("gone") { $0.state == .ready }
        try await fixture.forget("gone")
        #expect(await fixture.prefetcher.evict(olderThan: .seconds(3600)) == Removal())
        #expect(await objects(fixture) == 2)
        #expect(await fixture.prefetcher.evict(olderThan: .seconds(-3600)).objects == 2)
    }

    @Test func `a story from a clock that was wrong goes before all others, whatever its age`() throws {
        var table = StoryTable()
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let container = Container.fallback(nil)
        for (id, days) in [("old", -40.0), ("older", -50), ("ahead", 3650), ("further", 7300)] {
            let moment = now.advanced(bySeconds: days * 86_400).milliseconds
            _ = table.update(try StoryScripts.record(id, receivedAt: moment, cached: 1, settled: id != "older"))
        }
        var order: [String] = []
        while let record = table.victim(now: now, where: { _ in true }) {
            order.append(record.key.id.description)
            _ = table.remove(record.key, now: now)
        }
        #expect(order == ["ahead", "further", "old", "older"])
        #expect(table.countsByContainer[container] == nil && table.latest.isEmpty)
    }

    @Test func `of more stories than allowed the oldest of each container are too many`() throws {
        var table = StoryTable()
        let now = Timestamp(milliseconds: 1000)
        for number in 1...5 {
            _ = table.update(try StoryScripts.record("\(number)", receivedAt: Int64(number), settled: true))
        }
        func beyond(_ limit: Int) -> [String] { table.beyond(limit, now: now).map(\.key.id.description) }
        #expect(beyond(10_000_000) == [] && beyond(5) == [] && beyond(4) == ["1"] && beyond(2) == ["1", "2", "3"])
        let old = table.received(before: Timestamp(milliseconds: 3), now: now)
        #expect(old.map(\.key.id.description) == ["1", "2"])
    }

    @Test func `a story from a clock that was ahead is too old, one from a clock a little ahead is not`() throws {
        var table = StoryTable()
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        for (id, days) in [("old", -40.0), ("new", -1), ("skewed", 0.9), ("ahead", 3650)] {
            let moment = now.advanced(bySeconds: days * 86_400).milliseconds
            _ = table.update(try StoryScripts.record(id, receivedAt: moment, settled: true), now: now)
        }
        let month = now.advanced(bySeconds: -30 * 86_400)
        #expect(table.received(before: month, now: now).map(\.key.id.description) == ["ahead", "old"])
    }
}
