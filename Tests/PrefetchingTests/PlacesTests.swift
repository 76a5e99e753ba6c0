import Foundation
import Glibc
import JSON
import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

/// Restarts, containers that change or refuse, an index that is lost.
@Suite(.timeLimit(.minutes(1))) struct `The prefetcher and what is on disk` {
    @Test func `stopped in mid-story, it goes on where it was, with the missing requests alone`() async throws {
        let first = try await PrefetchFixture()
        first.serve(["/0", "/2"])
        first.origin.script("/1", ScriptedAnswer(.stall))
        try await first.accept("a", ["/0", "/1", "/2"])
        let before = try await first.waitFor("a") { $0.pages.count { $0.state.isCached } == 2 }
        await first.stop()
        first.serve(["/1"])
        let second = try await PrefetchFixture(after: first)
        let ready = try await second.waitFor("a") { $0.settled }
        #expect(ready.state == .ready && ready.receivedAt == before.receivedAt && ready.revision > before.revision)
        #expect(second.requests == ["/0": 1, "/1": 2, "/2": 1])
        #expect(await second.isAtRest())
        try await second.accept("a", ["/0", "/1", "/2"])
        #expect(try second.manifest("a")?.revision == ready.revision, "the same story after the restart too")
        #expect(await second.prefetcher.statistics.stories == [.ready: 1])
        await second.stop()
        let third = try await PrefetchFixture(after: second)
        #expect(await third.isAtRest())
        #expect(try third.manifest("a")?.revision == ready.revision, "a finished story is left alone")
    }

    @Test func `pictures deleted between runs are fetched again`() async throws {
        let first = try await PrefetchFixture()
        first.serve(["/0", "/1"])
        try await first.accept("a", ["/0", "/1"])
        let before = try await first.waitFor("a") { $0.settled }
        await first.stop()
        try FileManager.default.removeItem(atPath: first.path(try #require(before.pages[0].state.image).file))
        let second = try await PrefetchFixture(after: first)
        #expect(await eventually { second.requests == ["/0": 2, "/1": 1] })
        #expect(await second.isAtRest())
        let after = try #require(try second.manifest("a"))
        #expect(after.state == .ready && after.settled && after.revision > before.revision)
    }

    @Test func `failed pages that may pass are tried again after a restart, others are not`() async throws {
        let first = try await PrefetchFixture()
        first.origin.script("/1", .status("503 Service Unavailable"))
        try await first.accept("a", ["/0", "/1"])
        #expect(try await first.waitFor("a") { $0.settled }.state == .failed)
        await first.stop()
        first.serve(["/0", "/1"])
        let second = try await PrefetchFixture(after: first)
        let after = try await second.waitFor("a") { $0.pages[1].state.isCached }
        #expect(after.state == .partial && second.requests == ["/0": 1, "/1": 3])
        #expect(await second.isAtRest())
    }

    @Test func `a latest.json that a crash left behind is put right at the start`() async throws {
        let first = try await PrefetchFixture()
        first.serve(["/0"])
        try await first.accept("a", ["/0"])
        let manifest = try await first.waitFor("a") { $0.settled }
        #expect(await first.isAtRest())
        await first.stop()
        try FileManager.default.removeItem(atPath: first.path("latest.json"))
        let second = try await PrefetchFixture(after: first)
        #expect(try second.latest() == LatestPointer(manifest))
    }

    @Test func `a damaged manifest costs the others nothing`() async throws {
        let first = try await PrefetchFixture()
        first.serve(["/0", "/1"])
        for id in ["a", "b"] {
            try await first.accept(id, ["/0", "/1"])
            _ = try await first.waitFor(id) { $0.settled }
        }
        #expect(await first.isAtRest())
        await first.stop()
        try Data("{".utf8).write(to: URL(filePath: first.path("stories/a/manifest.json")))
        let second = try await PrefetchFixture(after: first)
        #expect(await second.prefetcher.statistics.stories == [.ready: 1])
        try await second.accept("a", ["/0", "/1"])
        #expect(try second.manifest("a")?.state == .ready)
    }

    @Test func `a container that refuses takes nothing in, and works once it is put right`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/x"])
        let fallback = fixture.directory.path("tmp")
        try? FileManager.default.removeItem(atPath: fallback)
        try FileManager.default.createSymbolicLink(
            atPath: fallback, withDestinationPath: fixture.directory.path("groups"))
        await #expect(throws: CacheFailure.self) { try await fixture.accept("a", ["/x"], group: nil) }
        try FileManager.default.removeItem(atPath: fallback)
        try FileManager.default.createDirectory(atPath: fallback, withIntermediateDirectories: false)
        chmod(fallback, 0o777)
        await #expect(throws: CacheFailure.self) { try await fixture.accept("a", ["/x"], group: nil) }
        #expect(await fixture.isAtRest())
        #expect(await fixture.prefetcher.statistics == PrefetchStatistics())
        #expect(fixture.requests.isEmpty)
        chmod(fallback, 0o750)
        try await fixture.accept("a", ["/x"], group: nil)
        #expect(try await fixture.waitFor("a", of: nil) { $0.settled }.revision == 2)
    }

    @Test func `a refused replacement leaves the story before it going on`() async throws {
        let fixture = try await PrefetchFixture()
        let gate = try fixture.hold(["/x"])[0]
        try await fixture.accept("a", ["/x"], group: nil)
        #expect(await eventually { fixture.requests == ["/x": 1] })
        let fallback = fixture.directory.path("tmp")
        chmod(fallback, 0o777)
        await #expect(throws: CacheFailure.self) { try await fixture.accept("a", ["/y"], group: nil) }
        chmod(fallback, 0o750)
        gate.open()
        let manifest = try await fixture.waitFor("a", of: nil) { $0.settled }
        #expect(manifest.state == .ready && manifest.pages[0].page.imageURL.hasSuffix("/x"))
    }

    @Test func `a story moves when its group is provisioned`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/x"])
        try await fixture.accept("a", ["/x"], group: PrefetchFixture.stranger)
        let before = try await fixture.waitFor("a", of: PrefetchFixture.stranger, isFallback: true) { $0.settled }
        #expect(before.groupFallback)
        #expect(await fixture.isAtRest())
        try fixture.provision(PrefetchFixture.stranger)
        try await fixture.accept("a", ["/x"], group: PrefetchFixture.stranger)
        let after = try #require(try fixture.manifest("a", of: PrefetchFixture.stranger))
        #expect(after.state == .ready && !after.groupFallback && after.revision == before.revision + 1)
        #expect(try fixture.manifest("a", of: PrefetchFixture.stranger, isFallback: true) == nil)
        #expect(
            try fixture.latest(of: PrefetchFixture.stranger, isFallback: true) == nil,
            "nothing is left that it could name")
        #expect(try fixture.latest(of: PrefetchFixture.stranger)?.revision == after.revision)
        #expect(fixture.requests == ["/x": 1], "the other container's copy serves")
        #expect(await fixture.prefetcher.statistics.stories == [.ready: 1])
        let id = try #require(StoryID("a"))
        #expect(await fixture.prefetcher.stories(named: id).map(\.container.kind) == [.provisioned])
    }

    @Test func `a move that was interrupted is finished at the start`() async throws {
        let first = try await PrefetchFixture()
        first.serve(["/x"])
        try await first.accept("a", ["/x"], group: PrefetchFixture.stranger)
        _ = try await first.waitFor("a", of: PrefetchFixture.stranger, isFallback: true) { $0.settled }
        #expect(await first.isAtRest())
        let old = try first.path("stories", of: PrefetchFixture.stranger, isFallback: true)
        try FileManager.default.copyItem(atPath: old, toPath: first.directory.path("kept"))
        try first.provision(PrefetchFixture.stranger)
        try await first.accept("a", ["/x"], group: PrefetchFixture.stranger)
        await first.stop()
        try? FileManager.default.removeItem(atPath: old)
        try FileManager.default.copyItem(atPath: first.directory.path("kept"), toPath: old)
        let second = try await PrefetchFixture(after: first)
        #expect(await second.isAtRest())
        #expect(try second.manifest("a", of: PrefetchFixture.stranger)?.state == .ready)
        #expect(try second.manifest("a", of: PrefetchFixture.stranger, isFallback: true) == nil)
        #expect(await second.prefetcher.statistics.stories == [.ready: 1])
    }

    @Test func `an index that is lost while running is told again`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        try await fixture.accept("a", ["/0", "/1"])
        _ = try await fixture.waitFor("a") { $0.settled }
        #expect(await fixture.isAtRest())
        #expect(await !fixture.storage.needsRecovery)
        await fixture.prefetcher.mendIndexIfNeeded()
        try FileManager.default.removeItem(atPath: fixture.directory.path("state/index.sqlite"))
        try await fixture.accept("again", ["/0", "/1"])
        #expect(await !fixture.storage.needsRecovery, "its file alone was removed, and is there again")
        try await fixture.loseIndex()
        #expect(await fixture.storage.needsRecovery)
        let gate = try fixture.hold(["/2"])[0]
        try await fixture.accept("b", ["/2"])
        await fixture.prefetcher.mendIndexIfNeeded()
        #expect(await !fixture.storage.needsRecovery)
        gate.open()
        #expect(try await fixture.waitFor("b") { $0.settled }.revision == 2)
        try await fixture.accept("c", ["/0", "/1"])
        #expect(try fixture.manifest("c")?.pages.map(\.state.image?.source) == [.cache, .cache])
        #expect(fixture.requests == ["/0": 1, "/1": 1, "/2": 1])
        #expect(await fixture.isAtRest())
    }

    @Test func `a manifest that cannot be read holds up nothing else, is said once and tried ever rarer`() async throws
    {
        let fixture = try await PrefetchFixture()
        for id in ["a", "b"] { try await fixture.accept(id, []) }
        let path = try fixture.path("stories/a/manifest.json")
        let whole = try #require(FileManager.default.contents(atPath: path))
        // Larger than any manifest.
        #expect(truncate(path, 1 << 30) == 0)
        try await fixture.loseIndex()
        let now = SuspendingClock.now
        await fixture.prefetcher.mendIndexIfNeeded(at: now)
        #expect(await fixture.storage.needsRecovery)
        #expect(await fixture.prefetcher.complaints.count == 1)
        try whole.write(to: URL(filePath: path))
        await fixture.prefetcher.mendIndexIfNeeded(at: now.advanced(by: .seconds(4)))
        #expect(await fixture.storage.needsRecovery, "it rests")
        await fixture.prefetcher.mendIndexIfNeeded(at: now.advanced(by: .seconds(5)))
        #expect(await !fixture.storage.needsRecovery)
        #expect(await fixture.prefetcher.complaints.isEmpty)
    }

    @Test func `a manifest that somebody replaced by one of other pages is taken as it is`() async throws {
        let fixture = try await PrefetchFixture()
        let gate = try fixture.hold(["/0"])[0]
        try await fixture.accept("a", ["/0"])
        let other = PrefetchFixture.stranger
        try fixture.provision(other)
        try await fixture.accept("a", ["/0", "/0", "/0"], group: other, title: "other")
        let path = try fixture.path("stories/a/manifest.json")
        var manifest = try #require(try fixture.manifest("a", of: other))
        manifest = Manifest(
            try PayloadParser.stories(
                from: Array(JSONValue.object(manifest.userInfo).serialized().utf8), limits: PayloadLimits())[0],
            group: PrefetchFixture.group, groupFallback: false, receivedAt: manifest.receivedAt, revision: 7)
        try Data(manifest.serialized()).write(to: URL(filePath: path))
        try await fixture.loseIndex()
        await fixture.prefetcher.mendIndexIfNeeded()
        gate.open()
        let ready = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(ready.pages.count == 3 && ready.revision > 7)
        #expect(await fixture.isAtRest())
    }

    @Test func `latest.json that cannot be written is tried again, and makes no new revision`() async throws {
        let fixture = try await PrefetchFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.path("latest.json/taken"), withIntermediateDirectories: true)
        try await fixture.accept("a", [], category: "PW_STORIES")
        #expect(await fixture.prefetcher.overdueLatest.next != nil)
        #expect(try fixture.manifest("a")?.revision == 1)
        try FileManager.default.removeItem(atPath: fixture.path("latest.json"))
        #expect(try await eventually(within: .seconds(20)) { try fixture.latest()?.revision == 1 })
        #expect(try fixture.manifest("a")?.revision == 1)
        #expect(await fixture.isAtRest())
    }

    @Test func `a stop ends recovery before the next story, and removes nothing`() async throws {
        let first = try await PrefetchFixture()
        for number in 0..<300 { try await first.accept("a\(number)", []) }
        await first.stop()
        let leftover = try first.path(".partial/leftover")
        try Data().write(to: URL(filePath: leftover))
        let second = try await PrefetchFixture(after: first, recovers: false)
        let recovery = Task { await second.prefetcher.recover() }
        while await second.prefetcher.statistics.stories.isEmpty { await Task.yield() }
        await second.prefetcher.stop()
        await recovery.value
        #expect(await second.prefetcher.statistics.stories.values.reduce(0, +) < 300)
        #expect(FileManager.default.fileExists(atPath: leftover), "what was not looked at may hold it")
        await second.stop()
        let third = try await PrefetchFixture(after: second)
        #expect(await third.prefetcher.statistics.stories == [.fallback: 300])
        #expect(!FileManager.default.fileExists(atPath: leftover))
    }

    @Test func `where http is allowed no more after a restart, what is missing fails as denied`() async throws {
        let first = try await PrefetchFixture()
        first.serve(["/0"])
        first.origin.script("/1", ScriptedAnswer(.stall))
        try await first.accept("a", ["/0", "/1"])
        _ = try await first.waitFor("a") { $0.pages[0].state.isCached }
        await first.stop()
        let requests = first.requests
        let second = try await PrefetchFixture(after: first, allowHTTP: false)
        let settled = try await second.waitFor("a") { $0.settled }
        #expect(settled.state == .partial && settled.pages[1].state.error?.code == .schemeDenied)
        #expect(settled.pages[1].state.error?.retryAt == nil)
        #expect(second.requests == requests && settled.pages[0].state.isCached)
        #expect(await second.isAtRest())
    }

    @Test func `mending the index finds pictures that are gone`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        try await fixture.accept("a", ["/0"])
        let before = try await fixture.waitFor("a") { $0.settled }
        #expect(await fixture.isAtRest())
        try FileManager.default.removeItem(atPath: fixture.path(try #require(before.pages[0].state.image).file))
        try await fixture.loseIndex()
        await fixture.prefetcher.mendIndexIfNeeded()
        #expect(await eventually { fixture.requests == ["/0": 2] })
        #expect(await fixture.isAtRest())
        #expect(try fixture.manifest("a")?.state == .ready)
    }
}

extension PrefetchFixture {
    /// Takes the index away and lets nothing take its place, until what it knew is lost.
    func loseIndex() async throws {
        let index = directory.path("state/index.sqlite")
        // An empty directory would not stay there; and whoever uses the index meanwhile makes another.
        let obstacle = directory.path("obstacle")
        try FileManager.default.createDirectory(atPath: obstacle + "/taken", withIntermediateDirectories: true)
        while true {
            unlink(index)
            if rename(obstacle, index) == 0 { break }
            // A file has its name again.
            guard errno == ENOTDIR else { throw SystemError("rename", path: index) }
        }
        _ = await storage.statistics()
        try FileManager.default.removeItem(atPath: index)
        _ = await storage.statistics()
    }
}
