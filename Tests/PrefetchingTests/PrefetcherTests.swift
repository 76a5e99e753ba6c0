import Foundation
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

@Suite(.timeLimit(.minutes(1))) struct `The prefetcher` {
    @Test func `a story goes from accepted to ready, revision by revision`() async throws {
        let fixture = try await PrefetchFixture()
        let gates = try fixture.hold(["/0", "/1", "/2"])
        try await fixture.accept("a", ["/0", "/1", "/2"])
        let first = try #require(try fixture.manifest("a"))
        #expect(first.revision == 1 && first.state == .prefetching && !first.pages.contains { $0.state.isCached })
        #expect(try fixture.latest() == nil, "nothing to show yet")

        gates[0].open()
        let second = try await fixture.waitFor("a") { $0.revision == 2 }
        #expect(second.pages.map(\.state.isCached) == [true, false, false] && !second.settled)
        #expect(try await fixture.latestNames("a", revision: 2))

        gates[1].open()
        let third = try await fixture.waitFor("a") { $0.revision == 3 }
        #expect(third.pages.map(\.state.isCached) == [true, true, false])
        #expect(try await fixture.latestNames("a", revision: 3))

        gates[2].open()
        let last = try await fixture.waitFor("a") { $0.settled }
        #expect(last.revision == 4 && last.state == .ready && last.receivedAt == first.receivedAt)
        #expect(last.pages.allSatisfy { $0.state.image?.source == .network && $0.attempts == 1 })
        #expect(try await fixture.latestNames("a", revision: 4))
        #expect(try fixture.latest()?.settled == true)
        #expect(await fixture.isAtRest())
        #expect(try fixture.partials().isEmpty)
    }

    @Test func `a story whose pictures are all there is settled in its first manifest`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        try await fixture.accept("a", ["/0", "/1"])
        _ = try await fixture.waitFor("a") { $0.settled }
        try await fixture.accept("b", ["/1", "/0"])
        let manifest = try #require(try fixture.manifest("b"))
        #expect(manifest.revision == 1 && manifest.state == .ready)
        #expect(manifest.pages.allSatisfy { $0.state.image?.source == .cache && $0.attempts == 0 })
        #expect(fixture.requests == ["/0": 1, "/1": 1])
        #expect(try fixture.latest()?.id.description == "b")
        let statistics = await fixture.prefetcher.statistics
        #expect(statistics.hits == 2 && statistics.misses == 2 && statistics.coalesced == 0)
        #expect(await fixture.isAtRest())
    }

    @Test func `equal URLs are one request, in one story, in several, and in several containers`() async throws {
        let fixture = try await PrefetchFixture()
        let gate = try fixture.hold(["/x"])[0]
        try await fixture.accept("a", ["/x", "/x", "/x"])
        try await fixture.accept("b", ["/x"])
        try await fixture.accept("c", ["/x"], group: PrefetchFixture.stranger)
        try await fixture.accept("d", ["/x"], group: nil)
        gate.open()
        for id in ["a", "b"] { #expect(try await fixture.waitFor(id) { $0.settled }.state == .ready) }
        let other = try await fixture.waitFor("c", of: PrefetchFixture.stranger, isFallback: true) { $0.settled }
        #expect(other.state == .ready && other.groupFallback)
        #expect(try await fixture.waitFor("d", of: nil) { $0.settled }.state == .ready)
        #expect(fixture.requests == ["/x": 1])
        let statistics = await fixture.prefetcher.statistics
        #expect(statistics.misses == 6 && statistics.coalesced == 5 && statistics.completedTransfers == 1)
    }

    @Test(arguments: ["no-store", "max-age=0"])
    func `a picture that may not be kept serves all who waited for it, and nobody later`(control: String) async throws {
        let fixture = try await PrefetchFixture()
        let gate = try Gate()
        var answer = ScriptedAnswer.ok(PrefetchFixture.picture("/x"), headers: ["Cache-Control: \(control)"])
        answer.steps.insert(.wait(gate), at: 0)
        fixture.origin.script("/x", answer)
        try await fixture.accept("a", ["/x"])
        try await fixture.accept("b", ["/x"], group: PrefetchFixture.stranger)
        try await fixture.accept("c", ["/x"], group: nil)
        gate.open()
        #expect(try await fixture.waitFor("a") { $0.settled }.state == .ready)
        #expect(
            try await fixture.waitFor("b", of: PrefetchFixture.stranger, isFallback: true) { $0.settled }.state
                == .ready)
        #expect(try await fixture.waitFor("c", of: nil) { $0.settled }.state == .ready)
        #expect(fixture.requests == ["/x": 1])
        let afterwards = Timestamp.now().advanced(bySeconds: 1)
        try await fixture.accept("d", ["/x"], receivedAt: afterwards)
        #expect(try await fixture.waitFor("d") { $0.settled }.pages[0].state.image?.source == .network)
        #expect(fixture.requests == ["/x": 2])
    }

    @Test func `a container that cannot be written to costs the others nothing`() async throws {
        let fixture = try await PrefetchFixture()
        let gate = try fixture.hold(["/x"])[0]
        try await fixture.accept("a", ["/x"], group: PrefetchFixture.stranger)
        try await fixture.accept("b", ["/x"])
        // What stands where the first story's objects should be.
        let objects = try fixture.path("objects", of: PrefetchFixture.stranger, isFallback: true)
        try Data().write(to: URL(filePath: objects))
        gate.open()
        #expect(try await fixture.waitFor("b") { $0.settled }.state == .ready)
        let manifest = try await fixture.waitFor("a", of: PrefetchFixture.stranger, isFallback: true) { $0.settled }
        #expect(manifest.pages[0].state.error?.code == .io && manifest.pages[0].state.error?.retryAt != nil)
        try FileManager.default.removeItem(atPath: objects)
        try await fixture.accept("a", ["/x"], group: PrefetchFixture.stranger)
        let mended = try await fixture.waitFor("a", of: PrefetchFixture.stranger, isFallback: true) {
            $0.state == .ready
        }
        #expect(mended.pages[0].state.image?.source == .cache && fixture.requests == ["/x": 1])
    }

    @Test func `a story replaced while its pictures are under way`() async throws {
        let fixture = try await PrefetchFixture()
        let gates = try fixture.hold(["/shared", "/old"])
        try await fixture.accept("a", ["/shared", "/old"], title: "old")
        #expect(await eventually { fixture.requests == ["/shared": 1, "/old": 1] })
        fixture.serve(["/new"])
        try await fixture.accept("a", ["/new", "/shared"], title: "new")
        let replaced = try await fixture.waitFor("a") { $0.pages[0].state.isCached }
        #expect(replaced.revision > 1 && replaced.alert.title == nil && replaced.alert.body == "new")
        #expect(
            await eventually { await fixture.prefetcher.statistics.activeTransfers == 1 }, "the orphan is cancelled")
        gates[0].open()
        let last = try await fixture.waitFor("a") { $0.settled }
        #expect(last.state == .ready && last.pages.map(\.attempts) == [1, 1])
        #expect(fixture.requests == ["/shared": 1, "/old": 1, "/new": 1])
        gates[1].open()
        #expect(await fixture.isAtRest())
        #expect(try fixture.partials().isEmpty)
    }

    @Test func `acceptances of one key at once take turns`() async throws {
        let fixture = try await PrefetchFixture()
        let paths = (0..<4).map { "/\($0)" }
        fixture.serve(paths)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask { try await fixture.accept("a", [paths[number % 4]], title: "\(number % 4)") }
            }
            try await group.waitForAll()
        }
        let manifest = try await fixture.waitFor("a") { $0.settled }
        #expect(manifest.state == .ready)
        #expect(manifest.revision >= 4, "each other content was a revision")
        #expect(try await fixture.latestNames("a", revision: manifest.revision))
        #expect(await fixture.isAtRest())
        #expect(fixture.requests.values.allSatisfy { $0 <= 12 })
    }

    @Test func `the same payload again is the same story, and what is missing is tried at once`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        fixture.origin.script("/1", .status("404 Not Found"), .ok(PrefetchFixture.picture("/1")))
        try await fixture.accept("a", ["/0", "/1"])
        let partial = try await fixture.waitFor("a") { $0.settled }
        #expect(partial.state == .partial)
        #expect(await fixture.isAtRest())
        try await fixture.accept("a", ["/0", "/1"])
        let ready = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(ready.receivedAt == partial.receivedAt && ready.revision == partial.revision + 1)
        #expect(ready.pages.map(\.attempts) == [1, 2])
        #expect(fixture.requests == ["/0": 1, "/1": 2])
        try await fixture.accept("a", ["/0", "/1"])
        #expect(try fixture.manifest("a")?.revision == ready.revision)
        #expect(await fixture.prefetcher.statistics.stories == [.ready: 1])
        #expect(await fixture.isAtRest())
    }

    @Test func `the same payload while its story is under way asks for nothing twice`() async throws {
        let fixture = try await PrefetchFixture()
        let gate = try fixture.hold(["/x"])[0]
        for _ in 0..<3 { try await fixture.accept("a", ["/x"]) }
        gate.open()
        let manifest = try await fixture.waitFor("a") { $0.settled }
        #expect(manifest.revision == 2 && manifest.pages[0].attempts == 1 && fixture.requests == ["/x": 1])
        let statistics = await fixture.prefetcher.statistics
        #expect(statistics.misses == 1 && statistics.coalesced == 0)
    }

    @Test func `the same payload after its story was removed from disk is a story again`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/x"])
        try await fixture.accept("a", ["/x"])
        let before = try await fixture.waitFor("a") { $0.settled }
        #expect(await fixture.isAtRest())
        try FileManager.default.removeItem(
            atPath: fixture.directory.path("groups/group.com.example.app/pw_stories_cache"))
        try await fixture.accept("a", ["/x"])
        let after = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(after.revision > before.revision && fixture.requests == ["/x": 2])
        #expect(try await fixture.latestNames("a", revision: after.revision))
    }

    @Test func `the same payload after one picture was removed fetches that one`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        try await fixture.accept("a", ["/0", "/1"])
        let before = try await fixture.waitFor("a") { $0.settled }
        #expect(await fixture.isAtRest())
        try FileManager.default.removeItem(atPath: fixture.path(try #require(before.pages[1].state.image).file))
        try await fixture.accept("a", ["/0", "/1"])
        #expect(await eventually { fixture.requests == ["/0": 1, "/1": 2] })
        #expect(await fixture.isAtRest())
        #expect(try fixture.manifest("a")?.state == .ready)
    }

    @Test func `each failure is its own page's`() async throws {
        let fixture = try await PrefetchFixture()
        let html = Array("<!doctype html><html><body>Welcome</body></html>".utf8)
        fixture.serve(["/good"])
        fixture.origin.script("/late", .status("503 Service Unavailable"), .ok(PrefetchFixture.picture("/late")))
        fixture.origin.script("/html", .ok(html, headers: ["Content-Type: image/png"]))
        try await fixture.accept("a", ["/none", "/late", "/html", "/good"])
        let manifest = try await fixture.waitFor("a") { $0.settled }
        #expect(manifest.state == .partial)
        let errors = manifest.pages.map(\.state.error)
        #expect(errors.map(\.?.code) == [.httpStatus, nil, .notImage, nil])
        #expect(errors[0]?.httpStatus == 404 && errors[0]?.retryAt == nil && errors[2]?.retryAt == nil)
        #expect(manifest.pages.map(\.attempts) == [1, 2, 1, 1])
        #expect(await fixture.isAtRest())
        #expect(try fixture.partials().isEmpty)
        let statistics = await fixture.prefetcher.statistics
        #expect(statistics.failedTransfers == 2 && statistics.retriedTransfers == 1)
        #expect(statistics.completedTransfers == 2)
    }

    @Test func `a failed round that may pass is told with its next try, in the future`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.origin.script("/x", .status("503 Service Unavailable"))
        try await fixture.accept("a", ["/x"])
        let manifest = try await fixture.waitFor("a") { $0.settled }
        let error = try #require(manifest.pages[0].state.error)
        #expect(manifest.state == .failed && error.httpStatus == 503 && manifest.pages[0].attempts == 2)
        #expect(try #require(error.retryAt) > manifest.updatedAt)
        fixture.serve(["/x"])
        try await fixture.accept("b", ["/x"])
        #expect(try await fixture.waitFor("a") { $0.state == .ready }.pages[0].attempts == 3, "woken by another story")
        #expect(await fixture.isAtRest())
    }

    @Test func `the deadline settles a story with a page that stalls, and a late picture makes it ready`() async throws
    {
        let fixture = try await PrefetchFixture { $0.storyDeadline = .milliseconds(50) }
        fixture.serve(["/0"])
        let gate = try fixture.hold(["/1"])[0]
        try await fixture.accept("a", ["/0", "/1"])
        let settled = try await fixture.waitFor("a") { $0.settled && $0.pages[0].state.isCached }
        #expect(settled.state == .partial && settled.pages[1].state == .pending())
        #expect(await fixture.prefetcher.live.count == 1)
        gate.open()
        let ready = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(ready.revision > settled.revision)
        #expect(try await fixture.latestNames("a", revision: ready.revision))
        #expect(await fixture.isAtRest())
    }

    @Test func `a story without pages is settled at once, and is the latest only of the category for stories`()
        async throws
    {
        let fixture = try await PrefetchFixture()
        try await fixture.acceptPayload(#"{"p": "plain", "aps": {"alert": "Hello"}}"#)
        #expect(try fixture.manifest("plain")?.state == .fallback)
        #expect(try fixture.latest() == nil)
        try await fixture.acceptPayload(#"{"p": "story", "aps": {"alert": "Hello", "category": "PW_STORIES"}}"#)
        #expect(try fixture.manifest("story")?.settled == true)
        #expect(try fixture.latest()?.id.description == "story")
        #expect(await fixture.isAtRest())
    }

    @Test func `latest.json names the newest story that can be shown`() async throws {
        let fixture = try await PrefetchFixture()
        let gates = try fixture.hold(["/old-0", "/old-1", "/new"])
        try await fixture.accept("old", ["/old-0", "/old-1"], receivedAt: Timestamp(milliseconds: 1_000))
        try await fixture.accept("new", ["/new"], receivedAt: Timestamp(milliseconds: 2_000))
        gates[0].open()
        _ = try await fixture.waitFor("old") { $0.pages[0].state.isCached }
        #expect(try await fixture.latestNames("old", revision: 2), "the newest has nothing to show yet")
        gates[2].open()
        #expect(try await fixture.waitFor("new") { $0.settled }.state == .ready)
        #expect(try await fixture.latestNames("new", revision: 2))
        gates[1].open()
        #expect(try await fixture.waitFor("old") { $0.settled }.state == .ready)
        #expect(await fixture.isAtRest())
        #expect(try fixture.latest()?.id.description == "new", "an older one does not take it back")
    }

    @Test func `what only the story before a replacement held goes, once the new one has all it waits for`()
        async throws
    {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1", "/2"])
        try await fixture.accept("a", ["/0", "/1"])
        let first = try await fixture.waitFor("a") { $0.state == .ready }
        let files = try first.pages.map { try #require($0.state.image).file }
        let gate = try fixture.hold(["/2"])[0]
        try await fixture.accept("a", ["/1", "/2"])
        #expect(try FileBytes.read(fixture.path(files[0])).isEmpty == false)
        gate.open()
        _ = try await fixture.waitFor("a") { $0.state == .ready && $0.revision > first.revision }
        let isGone = await eventually { (try? fixture.path(files[0])).map { access($0, F_OK) != 0 } == true }
        #expect(isGone)
        #expect(try access(fixture.path(files[1]), F_OK) == 0)
    }

    @Test func `a story replaced by one with nothing to show hands latest.json to the one before it`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        let gate = try fixture.hold(["/held"])[0]
        try await fixture.accept("a", ["/0"], receivedAt: Timestamp(milliseconds: 1_000))
        _ = try await fixture.waitFor("a") { $0.settled }
        try await fixture.accept("b", ["/1"], receivedAt: Timestamp(milliseconds: 2_000))
        _ = try await fixture.waitFor("b") { $0.settled }
        #expect(try await fixture.latestNames("b"))
        try await fixture.accept("b", ["/held"], receivedAt: Timestamp(milliseconds: 3_000))
        #expect(try fixture.latest()?.id.description == "a")
        gate.open()
        #expect(try await fixture.latestNames("b"))
    }

    @Test func `stop ends transfers in flight at once, and nothing is written afterwards`() async throws {
        let fixture = try await PrefetchFixture()
        let paths = (0..<12).map { "/\($0)" }
        for path in paths { fixture.origin.script(path, ScriptedAnswer(.stall)) }
        try await fixture.accept("a", paths)
        #expect(await eventually { fixture.origin.requests.count == 5 })
        let time = await SuspendingClock().measure { await fixture.prefetcher.stop() }
        #expect(time < .seconds(2))
        let manifest = try #require(try fixture.manifest("a"))
        #expect(manifest.revision == 1 && manifest.state == .prefetching)
        #expect(try fixture.partials().isEmpty)
        #expect(fixture.origin.requests.count == 5)
    }

    @Test func `a payload that was put back does not replace the newer one that came meanwhile`() async throws {
        let fixture = try await PrefetchFixture()
        let (older, newer) = (Timestamp.now().advanced(bySeconds: -10), Timestamp.now())
        try await fixture.accept("a", [], title: "newer", receivedAt: newer)
        try await fixture.accept("a", [], title: "older", receivedAt: older)
        let manifest = try #require(try fixture.manifest("a"))
        #expect(manifest.alert.body == "newer" && manifest.revision == 1)
    }

    @Test func `a story of before the clock was set back is replaced all the same`() async throws {
        let fixture = try await PrefetchFixture()
        try await fixture.accept("a", [], title: "of the future", receivedAt: .now().advanced(bySeconds: 1_000_000))
        try await fixture.accept("a", [], title: "of now")
        #expect(try fixture.manifest("a")?.alert.body == "of now")
    }

    @Test func `a story whose pages hang leaves a slot to the first page of the next`() async throws {
        let fixture = try await PrefetchFixture()
        let hanging = (0..<10).map { "/hang\($0)" }
        let gates = try fixture.hold(hanging)
        try await fixture.accept("stuck", hanging)
        fixture.serve(["/good"])
        try await fixture.accept("next", ["/good"])
        _ = try await fixture.waitFor("next") { $0.state == .ready }
        #expect(try fixture.manifest("stuck")?.state == .prefetching)
        for gate in gates { gate.open() }
    }
}
