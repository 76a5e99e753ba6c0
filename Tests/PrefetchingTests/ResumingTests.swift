import Foundation
import Hashing
import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

/// Downloads that broke off, and what is kept of them for as long as somebody waits.
@Suite(.timeLimit(.minutes(1))) struct ResumingTests {
    /// Of which more than half is worth keeping from one round to the next.
    private let picture = SampleImages.large(seed: 1, bytes: 3_000_000)
    private let half = 1_500_000

    /// Attempts of two in a round, and rests so long that none follows by itself, but for `retries`.
    private func fixture(
        after earlier: PrefetchFixture? = nil, retries: Bool = false, attempts: Int = 2,
        _ change: (inout PrefetchOptions) -> Void = { _ in }
    ) async throws -> PrefetchFixture {
        try await PrefetchFixture(after: earlier) { options in
            options.queue.retry.maxAttempts = attempts
            if !retries { options.queue.retry.base = .seconds(60) }
            change(&options)
        }
    }

    /// The picture at `/x` breaks off at the first request, and is whole at each later one, or its rest.
    private func breakOnce(_ fixture: PrefetchFixture, at count: Int? = nil, headers: [String] = ["ETag: \"v1\""]) {
        let requests = Locked(0)
        fixture.origin.respond(to: "/x") { [picture, half] request in
            let isFirst = requests.withLock { requests in
                requests += 1
                return requests == 1
            }
            return isFirst
                ? .begun(picture, count ?? half, headers: headers, then: .close) : .file(picture, to: request)
        }
    }

    /// Whether exactly one part and its notes come to be there.
    private func isKept(_ fixture: PrefetchFixture) async throws -> Bool {
        try await eventually {
            try fixture.partials().count == 2 && fixture.partials().contains { $0.hasSuffix(".notes") }
        }
    }

    private func isGone(_ fixture: PrefetchFixture) async throws -> Bool {
        try await eventually { try fixture.partials().isEmpty }
    }

    private func key(_ id: String) throws -> StoryKey {
        StoryKey(group: PrefetchFixture.group, id: try #require(StoryID(id)))
    }

    @Test func `the next attempt asks for the rest alone`() async throws {
        let fixture = try await fixture(retries: true)
        breakOnce(fixture, at: 5000)
        try await fixture.accept("a", ["/x"])
        let page = try await fixture.waitFor("a") { $0.state == .ready }.pages[0]
        #expect(page.state.image?.contentID == .of(picture) && page.attempts == 2)
        #expect(fixture.origin.requests.map { $0.header("Range") } == [nil, "bytes=5000-"])
        #expect(fixture.origin.requests[1].header("If-Range") == "\"v1\"")
        #expect(await fixture.prefetcher.statistics.resumedTransfers == 1)
        #expect(await fixture.isAtRest())
        #expect(try fixture.partials().isEmpty)
    }

    @Test func `after a restart the rest alone is asked for`() async throws {
        let first = try await fixture()
        breakOnce(first)
        try await first.accept("a", ["/x"])
        #expect(try await isKept(first))
        await first.stop()
        let second = try await fixture(after: first)
        let image = try await second.waitFor("a") { $0.state == .ready }.pages[0].state.image
        #expect(image?.contentID == .of(picture))
        #expect(second.origin.requests.map { $0.header("Range") } == [nil, "bytes=\(half)-"])
        #expect(try await isGone(second))
    }

    @Test func `a stop in mid-download leaves what has come to the next start, however little`() async throws {
        let first = try await fixture()
        let gate = try Gate()
        first.origin.script("/x", .begun(picture, 5000, then: .open(gate), .stall))
        try await first.accept("a", ["/x"])
        #expect(await eventually { gate.isOpen })
        #expect(
            try await eventually {
                try first.partials().contains { name in
                    let size = try FileManager.default.attributesOfItem(atPath: first.path(".partial/\(name)"))[.size]
                    return size as? Int == 5000
                }
            })
        await first.stop()
        #expect(try first.partials().count == 2)
        first.origin.respond(to: "/x") { [picture] in .file(picture, to: $0) }
        let second = try await fixture(after: first)
        _ = try await second.waitFor("a") { $0.state == .ready }
        #expect(second.origin.requests.last?.header("Range") == "bytes=5000-")
        #expect(try await isGone(second))
    }

    @Test func `what is begun goes before an older copy that would be asked about`() async throws {
        let fixture = try await fixture(retries: true)
        fixture.origin.script(
            "/x", .ok(PrefetchFixture.picture("/x"), headers: ["ETag: \"v0\"", "Cache-Control: no-cache"]))
        try await fixture.accept("first", ["/x"])
        _ = try await fixture.waitFor("first") { $0.state == .ready }
        breakOnce(fixture)
        try await fixture.accept("second", ["/x"], receivedAt: Timestamp.now().advanced(bySeconds: 1))
        let page = try await fixture.waitFor("second") { $0.state == .ready }.pages[0]
        #expect(page.state.image?.contentID == .of(picture))
        let requests = fixture.origin.requests
        #expect(requests.map { $0.header("If-None-Match") } == [nil, "\"v0\"", nil])
        #expect(requests.last?.header("If-Range") == "\"v1\"")
    }

    @Test func `a picture that has changed meanwhile is the new one, whole`() async throws {
        let fixture = try await fixture(retries: true)
        let other = SampleImages.large(seed: 2, bytes: 2_000_000)
        fixture.origin.respond(to: "/x") { [picture, half] request in
            ScriptedAnswer.start(of: request) == nil
                ? .begun(picture, half, then: .close) : .file(other, etag: "\"v2\"", to: request)
        }
        try await fixture.accept("a", ["/x"])
        let image = try await fixture.waitFor("a") { $0.state == .ready }.pages[0].state.image
        #expect(image?.contentID == .of(other))
        #expect(fixture.origin.requests.count == 2)
        #expect(await fixture.prefetcher.statistics.resumedTransfers == 0)
    }

    @Test func `a redirect that leads elsewhere by now leads to another picture, however alike`() async throws {
        let fixture = try await fixture(retries: true)
        let other = SampleImages.large(seed: 2, bytes: picture.count)
        fixture.origin.script("/x", .redirect(to: "/one"), .redirect(to: "/two"))
        fixture.origin.script("/one", .begun(picture, half, then: .close))
        fixture.origin.respond(to: "/two") { .file(other, to: $0) }
        try await fixture.accept("a", ["/x"])
        let image = try await fixture.waitFor("a") { $0.settled }.pages[0].state.image
        #expect(image?.contentID == .of(other))
        #expect(fixture.origin.requests.map(\.target) == ["/x", "/one", "/x", "/two"])
        #expect(await fixture.prefetcher.statistics.resumedTransfers == 0)
    }

    @Test func `a redirect that leads where it led is gone on with there`() async throws {
        let fixture = try await fixture(retries: true)
        fixture.origin.respond(to: "/x") { _ in .redirect(to: "/one?signed") }
        let requests = Locked(0)
        fixture.origin.respond(to: "/one") { [picture, half] request in
            let isFirst = requests.withLock { requests in
                requests += 1
                return requests == 1
            }
            return isFirst ? .begun(picture, half, then: .close) : .file(picture, to: request)
        }
        try await fixture.accept("a", ["/x"])
        let image = try await fixture.waitFor("a") { $0.settled }.pages[0].state.image
        #expect(image?.contentID == .of(picture))
        #expect(fixture.origin.requests.last?.header("Range") == "bytes=\(half)-")
        #expect(await fixture.prefetcher.statistics.resumedTransfers == 1)
    }

    @Test func `an attempt that brings nothing leaves what there was`() async throws {
        let fixture = try await fixture(retries: true, attempts: 4)
        let requests = Locked(0)
        fixture.origin.respond(to: "/x") { [picture, half] request in
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            switch number {
            case 1: return .begun(picture, half, then: .close)
            case 2: return .status("503 Service Unavailable", [UInt8](repeating: 60, count: 5000))
            case 3: return ScriptedAnswer(.close)
            default: return .file(picture, to: request)
            }
        }
        try await fixture.accept("a", ["/x"])
        let image = try await fixture.waitFor("a") { $0.state == .ready }.pages[0].state.image
        #expect(image?.contentID == .of(picture))
        #expect(fixture.origin.requests.last?.header("Range") == "bytes=\(half)-")
    }

    @Test func `a part is kept from one round to the next where it is large, and only there`() async throws {
        for (count, isKept) in [(half, true), (5000, false)] {
            let fixture = try await fixture(attempts: 1)
            breakOnce(fixture, at: count)
            try await fixture.accept("a", ["/x"])
            _ = try await fixture.waitFor("a") { $0.settled }
            #expect(try await isKept ? self.isKept(fixture) : isGone(fixture))
            // Asked for once more: a new round.
            try await fixture.accept("a", ["/x"])
            _ = try await fixture.waitFor("a") { $0.state == .ready }
            #expect(fixture.origin.requests.last?.header("Range") == (isKept ? "bytes=\(count)-" : nil))
        }
    }

    @Test func `of two containers the other gets the picture where the first is not interested any more`() async throws
    {
        let fixture = try await fixture(attempts: 1)
        breakOnce(fixture)
        try await fixture.accept("a", ["/x"])
        #expect(try await isKept(fixture))
        try await fixture.accept("b", ["/x"], group: PrefetchFixture.stranger)
        _ = try await fixture.prefetcher.remove(key("a"))
        let manifest = try await fixture.waitFor("b", of: PrefetchFixture.stranger, isFallback: true) {
            $0.state == .ready
        }
        #expect(manifest.pages[0].state.image?.contentID == .of(picture))
        #expect(try await isGone(fixture))
    }

    // MARK: The end

    /// What ends a page's wait for its picture.
    enum End: CaseIterable, Sendable {
        case deleted, replaced, refused, evicted, expired
    }

    @Test(arguments: End.allCases)
    func `what no page waits for any more is not kept`(_ end: End) async throws {
        let fixture = try await fixture(attempts: 1) { options in
            if end == .expired { options.queue.retry.horizon = .zero }
        }
        breakOnce(fixture)
        try await fixture.accept("a", ["/x"])
        if end == .expired {
            _ = try await fixture.waitFor("a") { $0.settled }
        } else {
            #expect(try await isKept(fixture))
        }
        switch end {
        case .deleted: _ = try await fixture.prefetcher.remove(key("a"))
        case .replaced: try await fixture.accept("a", [])
        case .refused:
            fixture.origin.respond(to: "/x") { _ in .status("404 Not Found") }
            try await fixture.accept("a", ["/x"])
        case .evicted: _ = await fixture.prefetcher.evict(olderThan: .seconds(-60))
        case .expired: break
        }
        #expect(try await isGone(fixture))
        #expect(await fixture.storage.keptKeys.isEmpty)
        #expect(await fixture.prefetcher.leftovers.isEmpty)
    }

    @Test func `a download that is given up with its story leaves nothing`() async throws {
        let fixture = try await fixture()
        let gate = try Gate()
        fixture.origin.script("/x", .begun(picture, half, then: .open(gate), .stall))
        try await fixture.accept("a", ["/x"])
        #expect(await eventually { gate.isOpen })
        _ = try await fixture.prefetcher.remove(key("a"))
        #expect(try await isGone(fixture))
        #expect(await fixture.isAtRest())
        #expect(try fixture.partials().isEmpty)
    }

    @Test func `what no story waits for after a restart goes`() async throws {
        let first = try await fixture(attempts: 1)
        breakOnce(first)
        try await first.accept("a", ["/x"])
        #expect(try await isKept(first))
        _ = try await first.waitFor("a") { $0.settled }
        await first.stop()
        try FileManager.default.removeItem(atPath: first.path("stories/a"))
        let second = try await fixture(after: first)
        #expect(try await isGone(second))
        #expect(second.origin.requests.count == 1)
    }

    @Test func `what a parked story waits for is kept, over a restart as well`() async throws {
        let first = try await fixture(attempts: 1) { $0.maximumLiveBytes = 1 }
        breakOnce(first)
        try await first.accept("a", ["/x"])
        #expect(try await isKept(first))
        _ = try await first.waitFor("a") { $0.settled }
        let gate = try first.hold(["/held"])
        try await first.accept("held", ["/held"])
        #expect(await eventually { await first.prefetcher.parked.count == 1 })
        await first.prefetcher.releaseLeftovers()
        await first.stop()
        #expect(try first.partials().count == 2)
        let second = try await fixture(after: first, attempts: 1) { $0.maximumLiveBytes = 1 }
        gate[0].open()
        _ = try await second.waitFor("a") { $0.state == .ready }
        #expect(second.origin.requests.contains { $0.header("Range") == "bytes=\(half)-" })
        _ = try await second.waitFor("held") { $0.state == .ready }
        #expect(try await isGone(second))
    }
}
