import Foundation
import Platform
import Stories
import TestSupport
import Testing

@testable import Prefetching
import TestOrigins

@Suite(.timeLimit(.minutes(1))) struct `The prefetcher` {
    @Test func `a story goes from accepted to ready, revision by revision`() async throws {
        let bench = try await Bench()
        let gates = try bench.hold(["/0", "/1", "/2"])
        try await bench.accept("a", ["/0", "/1", "/2"])
        let first = try #require(try bench.manifest("a"))
        #expect(first.revision == 1 && first.state == .prefetching && !first.pages.contains { $0.state.isCached })
        #expect(try bench.latest() == nil, "nothing to show yet")

        gates[0].open()
        let second = try await bench.waitFor("a") { $0.revision == 2 }
        #expect(second.pages.map(\.state.isCached) == [true, false, false] && !second.settled)
        #expect(try await bench.latestNames("a", revision: 2))

        gates[1].open()
        let third = try await bench.waitFor("a") { $0.revision == 3 }
        #expect(third.pages.map(\.state.isCached) == [true, true, false])
        #expect(try await bench.latestNames("a", revision: 3))

        gates[2].open()
        let last = try await bench.waitFor("a") { $0.settled }
        #expect(last.revision == 4 && last.state == .ready && last.receivedAt == first.receivedAt)
        #expect(last.pages.allSatisfy { $0.state.image?.source == .network && $0.attempts == 1 })
        #expect(try await bench.latestNames("a", revision: 4))
        #expect(try bench.latest()?.settled == true)
        #expect(await bench.isAtRest())
        #expect(try bench.partials().isEmpty)
    }

    @Test func `a story whose pictures are all there is settled in its first manifest`() async throws {
        let bench = try await Bench()
        bench.serve(["/0", "/1"])
        try await bench.accept("a", ["/0", "/1"])
        _ = try await bench.waitFor("a") { $0.settled }
        try await bench.accept("b", ["/1", "/0"])
        let manifest = try #require(try bench.manifest("b"))
        #expect(manifest.revision == 1 && manifest.state == .ready)
        #expect(manifest.pages.allSatisfy { $0.state.image?.source == .cache && $0.attempts == 0 })
        #expect(bench.requests == ["/0": 1, "/1": 1])
        #expect(try bench.latest()?.id.description == "b")
        let statistics = await bench.prefetcher.statistics
        #expect(statistics.hits == 2 && statistics.misses == 2 && statistics.coalesced == 0)
        #expect(await bench.isAtRest())
    }

    @Test func `equal URLs are one request, in one story, in several, and in several containers`() async throws {
        let bench = try await Bench()
        let gate = try bench.hold(["/x"])[0]
        try await bench.accept("a", ["/x", "/x", "/x"])
        try await bench.accept("b", ["/x"])
        try await bench.accept("c", ["/x"], group: Bench.stranger)
        try await bench.accept("d", ["/x"], group: nil)
        gate.open()
        for id in ["a", "b"] { #expect(try await bench.waitFor(id) { $0.settled }.state == .ready) }
        let other = try await bench.waitFor("c", of: Bench.stranger, isFallback: true) { $0.settled }
        #expect(other.state == .ready && other.groupFallback)
        #expect(try await bench.waitFor("d", of: nil) { $0.settled }.state == .ready)
        #expect(bench.requests == ["/x": 1])
        let statistics = await bench.prefetcher.statistics
        #expect(statistics.misses == 6 && statistics.coalesced == 5 && statistics.completedTransfers == 1)
    }

    @Test(arguments: ["no-store", "max-age=0"])
    func `a picture that may not be kept serves all who waited for it, and nobody later`(control: String) async throws {
        let bench = try await Bench()
        let gate = try Gate()
        var answer = ScriptedAnswer.ok(Bench.picture("/x"), headers: ["Cache-Control: \(control)"])
        answer.steps.insert(.wait(gate), at: 0)
        bench.origin.script("/x", answer)
        try await bench.accept("a", ["/x"])
        try await bench.accept("b", ["/x"], group: Bench.stranger)
        try await bench.accept("c", ["/x"], group: nil)
        gate.open()
        #expect(try await bench.waitFor("a") { $0.settled }.state == .ready)
        #expect(try await bench.waitFor("b", of: Bench.stranger, isFallback: true) { $0.settled }.state == .ready)
        #expect(try await bench.waitFor("c", of: nil) { $0.settled }.state == .ready)
        #expect(bench.requests == ["/x": 1])
        let afterwards = Timestamp.now().advanced(bySeconds: 1)
        try await bench.accept("d", ["/x"], receivedAt: afterwards)
        #expect(try await bench.waitFor("d") { $0.settled }.pages[0].state.image?.source == .network)
        #expect(bench.requests == ["/x": 2])
    }

    @Test func `a container that cannot be written to costs the others nothing`() async throws {
        let bench = try await Bench()
        let gate = try bench.hold(["/x"])[0]
        try await bench.accept("a", ["/x"], group: Bench.stranger)
        try await bench.accept("b", ["/x"])
        // What stands where the first story's objects should be.
        let objects = try bench.path("objects", of: Bench.stranger, isFallback: true)
        try Data().write(to: URL(filePath: objects))
        gate.open()
        #expect(try await bench.waitFor("b") { $0.settled }.state == .ready)
        let manifest = try await bench.waitFor("a", of: Bench.stranger, isFallback: true) { $0.settled }
        #expect(manifest.pages[0].state.error?.code == .io && manifest.pages[0].state.error?.retryAt != nil)
        try FileManager.default.removeItem(atPath: objects)
        try await bench.accept("a", ["/x"], group: Bench.stranger)
        let mended = try await bench.waitFor("a", of: Bench.stranger, isFallback: true) { $0.state == .ready }
        #expect(mended.pages[0].state.image?.source == .cache && bench.requests == ["/x": 1])
    }

    @Test func `a story replaced while its pictures are under way`() async throws {
        let bench = try await Bench()
        let gates = try bench.hold(["/shared", "/old"])
        try await bench.accept("a", ["/shared", "/old"], title: "old")
        #expect(await eventually { bench.requests == ["/shared": 1, "/old": 1] })
        bench.serve(["/new"])
        try await bench.accept("a", ["/new", "/shared"], title: "new")
        let replaced = try await bench.waitFor("a") { $0.pages[0].state.isCached }
        #expect(replaced.revision > 1 && replaced.alert.title == nil && replaced.alert.body == "new")
        #expect(await eventually { await bench.prefetcher.statistics.activeTransfers == 1 }, "the orphan is cancelled")
        gates[0].open()
        let last = try await bench.waitFor("a") { $0.settled }
        #expect(last.state == .ready && last.pages.map(\.attempts) == [1, 1])
        #expect(bench.requests == ["/shared": 1, "/old": 1, "/new": 1])
        gates[1].open()
        #expect(await bench.isAtRest())
        #expect(try bench.partials().isEmpty)
    }

    @Test func `acceptances of one key at once take turns`() async throws {
        let bench = try await Bench()
        let paths = (0..<4).map { "/\($0)" }
        bench.serve(paths)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask { try await bench.accept("a", [paths[number % 4]], title: "\(number % 4)") }
            }
            try await group.waitForAll()
        }
        let manifest = try await bench.waitFor("a") { $0.settled }
        #expect(manifest.state == .ready)
        #expect(manifest.revision >= 4, "each other content was a revision")
        #expect(try await bench.latestNames("a", revision: manifest.revision))
        #expect(await bench.isAtRest())
        #expect(bench.requests.values.allSatisfy { $0 <= 12 })
    }

    @Test func `the same payload again is the same story, and what is missing is tried at once`() async throws {
        let bench = try await Bench()
        bench.serve(["/0"])
        bench.origin.script("/1", .status("404 Not Found"), .ok(Bench.picture("/1")))
        try await bench.accept("a", ["/0", "/1"])
        let partial = try await bench.waitFor("a") { $0.settled }
        #expect(partial.state == .partial)
        #expect(await bench.isAtRest())
        try await bench.accept("a", ["/0", "/1"])
        let ready = try await bench.waitFor("a") { $0.state == .ready }
        #expect(ready.receivedAt == partial.receivedAt && ready.revision == partial.revision + 1)
        #expect(ready.pages.map(\.attempts) == [1, 2])
        #expect(bench.requests == ["/0": 1, "/1": 2])
        try await bench.accept("a", ["/0", "/1"])
        #expect(try bench.manifest("a")?.revision == ready.revision)
        #expect(await bench.prefetcher.statistics.stories == [.ready: 1])
        #expect(await bench.isAtRest())
    }

    @Test func `the same payload while its story is under way asks for nothing twice`() async throws {
        let bench = try await Bench()
        let gate = try bench.hold(["/x"])[0]
        for _ in 0..<3 { try await bench.accept("a", ["/x"]) }
        gate.open()
        let manifest = try await bench.waitFor("a") { $0.settled }
        #expect(manifest.revision == 2 && manifest.pages[0].attempts == 1 && bench.requests == ["/x": 1])
        let statistics = await bench.prefetcher.statistics
        #expect(statistics.misses == 1 && statistics.coalesced == 0)
    }

    @Test func `the same payload after its story was removed from disk is a story again`() async throws {
        let bench = try await Bench()
        bench.serve(["/x"])
        try await bench.accept("a", ["/x"])
        let before = try await bench.waitFor("a") { $0.settled }
        #expect(await bench.isAtRest())
        try FileManager.default.removeItem(
            atPath: bench.directory.path("groups/group.com.example.app/pw_stories_cache"))
        try await bench.accept("a", ["/x"])
        let after = try await bench.waitFor("a") { $0.state == .ready }
        #expect(after.revision > before.revision && bench.requests == ["/x": 2])
        #expect(try await bench.latestNames("a", revision: after.revision))
    }

    @Test func `the same payload after one picture was removed fetches that one`() async throws {
        let bench = try await Bench()
        bench.serve(["/0", "/1"])
        try await bench.accept("a", ["/0", "/1"])
        let before = try await bench.waitFor("a") { $0.settled }
        #expect(await bench.isAtRest())
        try FileManager.default.removeItem(atPath: bench.path(try #require(before.pages[1].state.image).file))
        try await bench.accept("a", ["/0", "/1"])
        #expect(await eventually { bench.requests == ["/0": 1, "/1": 2] })
        #expect(await bench.isAtRest())
        #expect(try bench.manifest("a")?.state == .ready)
    }

    @Test func `each failure is its own page's`() async throws {
        let bench = try await Bench()
        let html = Array("<!doctype html><html><body>Welcome</body></html>".utf8)
        bench.serve(["/good"])
        bench.origin.script("/late", .status("503 Service Unavailable"), .ok(Bench.picture("/late")))
        bench.origin.script("/html", .ok(html, headers: ["Content-Type: image/png"]))
        try await bench.accept("a", ["/none", "/late", "/html", "/good"])
        let manifest = try await bench.waitFor("a") { $0.settled }
        #expect(manifest.state == .partial)
        let errors = manifest.pages.map(\.state.error)
        #expect(errors.map(\.?.code) == [.httpStatus, nil, .notImage, nil])
        #expect(errors[0]?.httpStatus == 404 && errors[0]?.retryAt == nil && errors[2]?.retryAt == nil)
        #expect(manifest.pages.map(\.attempts) == [1, 2, 1, 1])
        #expect(await bench.isAtRest())
        #expect(try bench.partials().isEmpty)
        let statistics = await bench.prefetcher.statistics
        #expect(statistics.failedTransfers == 2 && statistics.retriedTransfers == 1)
        #expect(statistics.completedTransfers == 2)
    }

    @Test func `a failed round that may pass is told with its next try, in the future`() async throws {
        let bench = try await Bench()
        bench.origin.script("/x", .status("503 Service Unavailable"))
        try await bench.accept("a", ["/x"])
        let manifest = try await bench.waitFor("a") { $0.settled }
        let error = try #require(manifest.pages[0].state.error)
        #expect(manifest.state == .failed && error.httpStatus == 503 && manifest.pages[0].attempts == 2)
        #expect(try #require(error.retryAt) > manifest.updatedAt)
        bench.serve(["/x"])
        try await bench.accept("b", ["/x"])
        #expect(try await bench.waitFor("a") { $0.state == .ready }.pages[0].attempts == 3, "woken by another story")
        #expect(await bench.isAtRest())
    }

    @Test func `the deadline settles a story with a page that stalls, and a late picture makes it ready`() async throws
    {
        let bench = try await Bench { $0.storyDeadline = .milliseconds(50) }
        bench.serve(["/0"])
        let gate = try bench.hold(["/1"])[0]
        try await bench.accept("a", ["/0", "/1"])
        let settled = try await bench.waitFor("a") { $0.settled && $0.pages[0].state.isCached }
        #expect(settled.state == .partial && settled.pages[1].state == .pending())
        #expect(await bench.prefetcher.live.count == 1)
        gate.open()
        let ready = try await bench.waitFor("a") { $0.state == .ready }
        #expect(ready.revision > settled.revision)
        #expect(try await bench.latestNames("a", revision: ready.revision))
        #expect(await bench.isAtRest())
    }

    @Test func `a story without pages is settled at once, and is the latest only of the category for stories`()
        async throws
    {
        let bench = try await Bench()
        try await bench.acceptPayload(#"{"p": "plain", "aps": {"alert": "Hello"}}"#)
        #expect(try bench.manifest("plain")?.state == .fallback)
        #expect(try bench.latest() == nil)
        try await bench.acceptPayload(#"{"p": "story", "aps": {"alert": "Hello", "category": "PW_STORIES"}}"#)
        #expect(try bench.manifest("story")?.settled == true)
        #expect(try bench.latest()?.id.description == "story")
        #expect(await bench.isAtRest())
    }

    @Test func `latest.json names the newest story that can be shown`() async throws {
        let bench = try await Bench()
        let gates = try bench.hold(["/old-0", "/old-1", "/new"])
        try await bench.accept("old", ["/old-0", "/old-1"], receivedAt: Timestamp(milliseconds: 1_000))
        try await bench.accept("new", ["/new"], receivedAt: Timestamp(milliseconds: 2_000))
        gates[0].open()
        _ = try await bench.waitFor("old") { $0.pages[0].state.isCached }
        #expect(try await bench.latestNames("old", revision: 2), "the newest has nothing to show yet")
        gates[2].open()
        #expect(try await bench.waitFor("new") { $0.settled }.state == .ready)
        #expect(try await bench.latestNames("new", revision: 2))
        gates[1].open()
        #expect(try await bench.waitFor("old") { $0.settled }.state == .ready)
        #expect(await bench.isAtRest())
        #expect(try bench.latest()?.id.description == "new", "an older one does not take it back")
    }

    @Test func `a story replaced by one with nothing to show hands latest.json to the one before it`() async throws {
        let bench = try await Bench()
        bench.serve(["/0", "/1"])
        let gate = try bench.hold(["/held"])[0]
        try await bench.accept("a", ["/0"], receivedAt: Timestamp(milliseconds: 1_000))
        _ = try await bench.waitFor("a") { $0.settled }
        try await bench.accept("b", ["/1"], receivedAt: Timestamp(milliseconds: 2_000))
        _ = try await bench.waitFor("b") { $0.settled }
        #expect(try await bench.latestNames("b"))
        try await bench.accept("b", ["/held"], receivedAt: Timestamp(milliseconds: 3_000))
        #expect(try bench.latest()?.id.description == "a")
        gate.open()
        #expect(try await bench.latestNames("b"))
    }

    @Test func `stop ends transfers in flight at once, and nothing is written afterwards`() async throws {
        let bench = try await Bench()
        let paths = (0..<12).map { "/\($0)" }
        for path in paths { bench.origin.script(path, ScriptedAnswer(.stall)) }
        try await bench.accept("a", paths)
        #expect(await eventually { bench.origin.requests.count == 6 })
        let time = await SuspendingClock().measure { await bench.prefetcher.stop() }
        #expect(time < .seconds(2))
        let manifest = try #require(try bench.manifest("a"))
        #expect(manifest.revision == 1 && manifest.state == .prefetching)
        #expect(try bench.partials().isEmpty)
        #expect(bench.origin.requests.count == 6)
    }

    @Test func `a flood waits for room until stories are settled`() async throws {
        let bench = try await Bench { $0.maximumUnsettled = 2 }
        let gates = try bench.hold(["/0", "/1"])
        try await bench.accept("a", ["/0"])
        await bench.prefetcher.room()
        try await bench.accept("b", ["/1"])
        let waiting = Locked(true)
        let room = Task {
            await bench.prefetcher.room()
            waiting.withLock { $0 = false }
        }
        #expect(await eventually { await bench.prefetcher.waitingForRoom.count == 1 })
        #expect(waiting.withLock { $0 })
        gates[0].open()
        await room.value
        gates[1].open()
        #expect(await bench.isAtRest())
    }

    @Test func `who waits for room is let go by stop`() async throws {
        let bench = try await Bench { $0.maximumUnsettled = 0 }
        let room = Task { await bench.prefetcher.room() }
        #expect(await eventually { await bench.prefetcher.waitingForRoom.count == 1 })
        await bench.prefetcher.stop()
        await room.value
    }
}
