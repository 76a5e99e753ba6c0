import Addresses
import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

@Suite("What is told of stories", .timeLimit(.minutes(1)))
struct EventTests {
    @Test("A story is told from its acceptance to its settling, each page and revision once")
    func course() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/a"])
        let gates = try fixture.hold(["/b"])
        try await fixture.accept("s", ["/a", "/b"])
        try await fixture.hears("updated")
        gates[0].open()
        try await fixture.hears("settled")
        #expect(
            fixture.told() == [
                "accepted 1 prefetching", "ended 0 cached", "updated 2 prefetching", "ended 1 cached",
                "settled 3 ready",
            ])
        await fixture.stop()
    }

    @Test("What is told of a manifest is on disk by then")
    func onDisk() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/a"])
        fixture.whenTold.withLock {
            $0 = { [weak fixture] event in
                guard case .pageEnded(let page) = event.news, let manifest = try? fixture?.manifest("s") else { return }
                #expect(manifest.pages[page.page.index].state == page.state)
            }
        }
        try await fixture.accept("s", ["/a"])
        try await fixture.hears("settled")
        #expect(fixture.told().contains("ended 0 cached"))
        await fixture.stop()
    }

    @Test("What was in the cache is told with the acceptance, a fallback is settled at once")
    func atOnce() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/a"])
        try await fixture.accept("first", ["/a"])
        try await fixture.hears("settled")
        fixture.forgetTold()
        try await fixture.accept("second", ["/a"])
        #expect(fixture.told() == ["accepted 1 ready", "ended 0 cached", "settled 1 ready"])
        fixture.forgetTold()
        try await fixture.acceptPayload(#"{"p": "third"}"#)
        #expect(fixture.told() == ["accepted 1 fallback", "settled 1 fallback"])
        await fixture.stop()
    }

    @Test("A page that fails is told once for each round, its attempts before as progress")
    func failure() async throws {
        let fixture = try await PrefetchFixture()
        fixture.origin.script("/gone", .status("404 Not Found"))
        try await fixture.accept("s", ["/gone"])
        try await fixture.hears("settled")
        #expect(fixture.told() == ["accepted 1 prefetching", "ended 0 failed", "settled 2 failed"])
        await fixture.stop()
    }

    @Test("The progress of a transfer never goes back, in whatever order its news come, nor on after its end")
    func progress() async throws {
        let fixture = try await PrefetchFixture()
        let gates = try fixture.hold(["/a"])
        try await fixture.accept("s", ["/a"])
        #expect(await eventually { fixture.requests == ["/a": 1] })
        let told = Locked<[Int64]>([])
        fixture.whenTold.withLock {
            $0 = { event in
                if case .progress(_, let bytes, _) = event.news { told.withLock { $0.append(bytes) } }
            }
        }
        let url = try WebURL(fixture.origin.url("/a"), maximumBytes: 8192)
        let starts = (0..<3).map { FetchQueue.Start(key: url.key(ignoring: []), url: url, number: $0) }
        func tell(_ bytes: [Int64], _ progress: ToldProgress) async {
            for bytes in bytes {
                for start in starts { await fixture.prefetcher.progressed(start, bytes: bytes, total: 900, progress) }
            }
        }
        let (first, second) = (ToldProgress(), ToldProgress())
        await tell([500, 300, 500, 700], first)
        first.end()
        await tell([800], first)
        await tell([100, 90], second)
        #expect(told.withLock { $0 } == [500, 700, 100])
        gates[0].open()
        try await fixture.hears("settled")
        await fixture.stop()
    }

    @Test("The same payload again is no news, another of its name is; what is removed is told")
    func again() async throws {
        let fixture = try await PrefetchFixture()
        try await fixture.acceptPayload(#"{"p": "s", "aps": {"alert": "one"}}"#)
        fixture.forgetTold()
        try await fixture.acceptPayload(#"{"p": "s", "aps": {"alert": "one"}}"#)
        #expect(fixture.told() == [])
        try await fixture.acceptPayload(#"{"p": "s", "aps": {"alert": "two"}}"#)
        #expect(fixture.told() == ["accepted 2 fallback", "settled 2 fallback"])
        fixture.forgetTold()
        let id = try #require(StoryID("s"))
        #expect(try await fixture.prefetcher.remove(StoryKey(group: PrefetchFixture.group, id: id)))
        #expect(fixture.told() == ["deleted"])
        await fixture.stop()
    }
}
