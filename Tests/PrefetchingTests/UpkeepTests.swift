import Foundation
import Glibc
import Hashing
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import MediaCache
@testable import Prefetching

/// What is looked after without being asked: files and containers that others remove, and bytes that rot.
@Suite(.timeLimit(.minutes(1))) struct UpkeepTests {
    /// A fixture with a story of these pictures, ready and at rest.
    private func ready(_ paths: [String]) async throws -> PrefetchFixture {
        let fixture = try await PrefetchFixture()
        fixture.serve(paths)
        try await fixture.accept("a", paths)
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        return fixture
    }

    private func path(_ fixture: PrefetchFixture, _ page: Int) throws -> String {
        try fixture.path(try #require(try fixture.manifest("a")?.pages[page].state.image).file)
    }

    /// Waits until the manifest on disk says so. (It may still name a picture that is damaged.)
    private func waitFor(_ state: StoryState, _ fixture: PrefetchFixture) async throws -> Manifest {
        let path = try fixture.path("stories/a/manifest.json")
        let isThere = try await eventually { try Manifest(bytes: FileBytes.read(path)).state == state }
        #expect(isThere)
        return try Manifest(bytes: FileBytes.read(path))
    }

    /// Reads on, whenever there is time, until all was read.
    private func scrub(_ fixture: PrefetchFixture) async {
        let isDone = await eventually {
            await fixture.prefetcher.scrubABit(at: .now)
            return await fixture.storage.scrubMemory?.progress == .done
        }
        #expect(isDone)
    }

    private func fetchedAgain(_ fixture: PrefetchFixture, _ path: String) async throws {
        #expect(await eventually { fixture.requests[path] == 2 })
        _ = try await fixture.waitFor("a") { $0.state == .ready && $0.revision > 2 }
        #expect(await fixture.isAtRest())
    }

    // MARK: What others did

    @Test(arguments: [nil, "xx", "{}"])
    func `what players watch is written again where somebody has removed it or written over it`(
        text: String?
    ) async throws {
        let fixture = try await ready(["/0"])
        let path = try fixture.path("latest.json")
        let isThere = await eventually { (try? FileBytes.read(path)) != nil }
        #expect(isThere)
        let before = try FileBytes.read(path)
        if let text { try FileBytes.put(Array(text.utf8), at: path) } else { unlink(path) }
        await fixture.prefetcher.lookAround()
        #expect(try FileBytes.read(path) == before)
        await fixture.prefetcher.lookAround()
        #expect(await fixture.storage.problems().map(\.code) == [.interference])
    }

    @Test func `a picture that was removed is fetched again, and its manifest says pending meanwhile`() async throws {
        let fixture = try await ready(["/0", "/1"])
        let gate = try fixture.hold(["/1"])[0]
        unlink(try path(fixture, 1))
        await fixture.prefetcher.lookAround()
        let pending = try await waitFor(.partial, fixture)
        #expect(pending.settled)
        gate.open()
        try await fetchedAgain(fixture, "/1")
        #expect(fixture.requests["/0"] == 1)
    }

    @Test func `a story whose container was removed is gone, and the next payload makes that again`() async throws {
        let fixture = try await ready(["/0", "/1"])
        try FileManager.default.removeItem(atPath: fixture.path(""))
        await fixture.prefetcher.lookAround()
        await fixture.prefetcher.mendIndexIfNeeded()
        #expect(await fixture.prefetcher.statistics.stories == [:])
        #expect(await fixture.storage.statistics().bytes == 0)
        #expect(fixture.told().last == "deleted")
        #expect(await fixture.storage.problems().map(\.code) == [.interference])
        try await fixture.accept("b", ["/0"])
        let again = try await fixture.waitFor("b") { $0.state == .ready }
        #expect(again.pages[0].state.image?.source == .network)
        #expect(await fixture.storage.problems().isEmpty)
        #expect(try await fixture.latestNames("b"))
    }

    @Test func `a story under way is written again where its container was removed`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        let gate = try fixture.hold(["/1"])[0]
        try await fixture.accept("a", ["/0", "/1"])
        _ = try await fixture.waitFor("a") { $0.pages[0].state.isCached }
        await fixture.prefetcher.lookAround()
        try FileManager.default.removeItem(atPath: fixture.path(""))
        await fixture.prefetcher.lookAround()
        await fixture.prefetcher.mendIndexIfNeeded()
        gate.open()
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(fixture.requests["/0"] == 2)
    }

    @Test func `stories of a container that comes from outside are known`() async throws {
        let fixture = try await ready(["/0", "/1"])
        let (cache, aside) = (try fixture.path(""), fixture.directory.path("aside"))
        try FileManager.default.moveItem(atPath: cache, toPath: aside)
        await fixture.prefetcher.lookAround()
        await fixture.prefetcher.mendIndexIfNeeded()
        #expect(await fixture.prefetcher.statistics.stories == [:])
        try FileManager.default.moveItem(atPath: aside, toPath: cache)
        await fixture.prefetcher.lookAround()
        await fixture.prefetcher.mendIndexIfNeeded()
        #expect(await fixture.prefetcher.statistics.stories == [.ready: 1])
        #expect(await fixture.storage.statistics().objects == 2)
        #expect(fixture.requests == ["/0": 1, "/1": 1])
        await fixture.prefetcher.lookAround()
        #expect(await !fixture.storage.needsRecovery)
    }

    private func look(_ fixture: PrefetchFixture) async {
        await fixture.prefetcher.lookAround()
        await fixture.prefetcher.mendIndexIfNeeded()
    }

    @Test(arguments: ["stories/a/manifest.json", "stories/a", "stories"])
    func `a story that was removed from its container is gone, and known again when it comes back`(
        name: String
    ) async throws {
        let fixture = try await ready(["/0", "/1"])
        await look(fixture)
        let (path, aside) = (try fixture.path(name), fixture.directory.path("aside"))
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        await look(fixture)
        #expect(await fixture.prefetcher.statistics.stories == [:])
        #expect(fixture.told().last == "deleted")
        #expect(await fixture.storage.problems().map(\.code) == [.interference])
        try FileManager.default.createDirectory(
            atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        await look(fixture)
        #expect(await fixture.prefetcher.statistics.stories == [.ready: 1])
        #expect(fixture.requests == ["/0": 1, "/1": 1])
    }

    @Test func `what lies where stories do and is none is looked into once`() async throws {
        let fixture = try await ready(["/0"])
        await look(fixture)
        try FileManager.default.createDirectory(
            atPath: fixture.path("stories/strange"), withIntermediateDirectories: false)
        try FileBytes.put([123, 125], at: fixture.path("stories/strange/manifest.json"))
        await fixture.prefetcher.lookAround()
        #expect(await fixture.storage.needsRecovery)
        await fixture.prefetcher.mendIndexIfNeeded()
        #expect(await !fixture.storage.needsRecovery)
        await fixture.prefetcher.lookAround()
        #expect(await !fixture.storage.needsRecovery)
        #expect(await fixture.prefetcher.statistics.stories == [.ready: 1])
    }

    @Test func `where nobody has done anything nothing follows from a look`() async throws {
        let fixture = try await ready(["/0", "/1"])
        for _ in 1...3 { await fixture.prefetcher.lookAround() }
        try await fixture.accept("b", ["/1"], group: nil)
        _ = try await fixture.waitFor("b", of: nil) { $0.state == .ready }
        await fixture.prefetcher.lookAround()
        #expect(await !fixture.storage.needsRecovery)
        #expect(await fixture.storage.problems().isEmpty)
        #expect(fixture.requests == ["/0": 1, "/1": 1])
    }

    // MARK: The scrub

    @Test func `bytes that rot are found and fetched again, without being asked for`() async throws {
        let fixture = try await ready(["/0", "/1", "/2"])
        try FileBytes.flipBit(of: path(fixture, 1))
        await scrub(fixture)
        try await fetchedAgain(fixture, "/1")
        #expect(await fixture.storage.statistics().corrupt == 1)
        #expect(await fixture.prefetcher.scrub?.found == Verification(checked: 3, corrupt: 1))
        // Once a week.
        let file = try path(fixture, 0)
        try FileBytes.flipBit(of: file)
        await fixture.prefetcher.scrubABit(at: .now)
        #expect(await fixture.storage.statistics().corrupt == 1)
    }

    @Test func `while something is fetched or verified nothing is read, and afterwards it goes on`() async throws {
        let fixture = try await ready(["/0", "/1"])
        try FileBytes.flipBit(of: path(fixture, 1))
        let gate = try fixture.hold(["/2"])[0]
        try await fixture.accept("b", ["/2"])
        #expect(await eventually { fixture.requests["/2"] == 1 })
        await fixture.prefetcher.scrubABit(at: .now)
        #expect(await fixture.storage.scrubMemory == nil)
        gate.open()
        _ = try await fixture.waitFor("b") { $0.state == .ready }
        #expect(await fixture.isAtRest())

        let held = try fixture.hold(["/1"])[0]
        async let verified = fixture.prefetcher.verify()
        #expect(await eventually { fixture.requests["/1"] == 2 })
        await fixture.prefetcher.scrubABit(at: .now)
        #expect(await fixture.storage.scrubMemory == nil)
        held.open()
        #expect(await verified == Verification(checked: 3, corrupt: 1, repaired: 1))
        #expect(await fixture.isAtRest())
        await scrub(fixture)
    }

    @Test func `a restart goes on where the reading was`() async throws {
        let first = try await ready(["/0", "/1", "/2"])
        let contents = await first.storage.contents(after: nil)
        // As if that were as far as it had come.
        await first.storage.remember(ScrubMemory(began: .now(), progress: .upTo(contents[1])))
        for file in try (0..<3).map({ try path(first, $0) }) { try FileBytes.flipBit(of: file) }
        await first.stop()
        let second = try await PrefetchFixture(after: first)
        await scrub(second)
        #expect(await eventually { second.requests.values.reduce(0, +) == 4 })
        #expect(await second.prefetcher.scrub?.found == Verification(checked: 1, corrupt: 1))
    }

    @Test func `a pass whose index fails is not over: it goes on where that knows all again`() async throws {
        let fixture = try await ready(["/0", "/1", "/2"])
        await fixture.storage.breakIndex()
        await fixture.prefetcher.scrubABit(at: .now)
        #expect(await fixture.storage.needsRecovery)
        #expect(await fixture.storage.scrubMemory?.progress != .done)
        await fixture.prefetcher.mendIndexIfNeeded()
        await scrub(fixture)
        #expect(await fixture.prefetcher.scrub?.found == Verification(checked: 3, corrupt: 0))
    }

    @Test func `a verification whose index fails reads all there is none the less`() async throws {
        let fixture = try await ready(["/0", "/1", "/2"])
        try FileBytes.flipBit(of: path(fixture, 1))
        await fixture.storage.breakIndex()
        #expect(await fixture.prefetcher.verify() == Verification(checked: 3, corrupt: 1, repaired: 1))
        #expect(await !fixture.storage.needsRecovery)
    }
}

extension CacheStorage {
    /// Has the next question to the index fail, and be answered by an empty one.
    func breakIndex() {
        index.use(orElse: ()) { index throws(DatabaseError) in try index.database.execute("DROP TABLE object") }
    }
}
