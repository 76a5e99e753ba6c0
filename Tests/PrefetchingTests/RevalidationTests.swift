import Foundation
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

/// Pictures that are there and no longer fresh, or never were.
@Suite(.timeLimit(.minutes(1))) struct RevalidationTests {
    private let unchanged = ScriptedAnswer.raw("HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=3600\r\n\r\n")
    private static let stale = [
        "Cache-Control: no-cache", "ETag: \"one\"", "Last-Modified: Mon, 05 Jan 2026 10:00:00 GMT",
    ]

    /// A fixture that has the picture of `/x`, which must be asked about before it serves again.
    private func stored(headers: [String] = RevalidationTests.stale) async throws -> PrefetchFixture {
        let fixture = try await PrefetchFixture { $0.queue.retry.maxAttempts = 2 }
        fixture.origin.script("/x", .ok(PrefetchFixture.picture("/x"), headers: headers))
        try await fixture.accept("first", ["/x"])
        _ = try await fixture.waitFor("first") { $0.state == .ready }
        return fixture
    }

    /// The page of a story that comes a moment later.
    private func later(_ id: String, _ fixture: PrefetchFixture, group: GroupID? = PrefetchFixture.group) async throws
        -> ManifestPage
    {
        try await fixture.accept(id, ["/x"], group: group, receivedAt: Timestamp.now().advanced(bySeconds: 1))
        let isFallback = group != PrefetchFixture.group
        return try await fixture.waitFor(id, of: group, isFallback: isFallback) { $0.settled }.pages[0]
    }

    @Test func `the origin is asked with what it said of the picture, and 304 renews it`() async throws {
        let fixture = try await stored()
        fixture.origin.script("/x", unchanged)
        let page = try await later("second", fixture)
        #expect(page.state.image?.source == .revalidated && page.attempts == 1)
        let request = try #require(fixture.origin.requests.last)
        #expect(request.header("If-None-Match") == "\"one\"")
        #expect(request.header("If-Modified-Since") == "Mon, 05 Jan 2026 10:00:00 GMT")
        #expect(await fixture.prefetcher.statistics.revalidated == 1)
        // What the 304 said holds from now on.
        #expect(try await later("third", fixture).state.image?.source == .cache)
        #expect(fixture.origin.requests.count == 2)
        #expect(try fixture.partials().isEmpty)
    }

    @Test func `304 serves another container with a copy of its own`() async throws {
        let fixture = try await stored()
        fixture.origin.script("/x", unchanged)
        let page = try await later("second", fixture, group: PrefetchFixture.stranger)
        #expect(page.state.image?.source == .revalidated)
    }

    @Test func `a picture that has changed is the new one`() async throws {
        let fixture = try await stored()
        fixture.origin.script("/x", .ok(PrefetchFixture.picture("/other")))
        let page = try await later("second", fixture)
        #expect(page.state.image?.source == .network)
        #expect(try page.state.image?.contentID != fixture.manifest("first")?.pages[0].state.image?.contentID)
    }

    @Test func `what gave no validators is fetched anew, without conditions`() async throws {
        let fixture = try await stored(headers: ["Cache-Control: max-age=0"])
        #expect(try await later("second", fixture).state.image?.source == .network)
        #expect(fixture.origin.requests.last?.header("If-None-Match") == nil)
    }

    @Test func `304 while the file is gone is followed by one request without conditions`() async throws {
        let fixture = try await stored()
        let gate = try Gate()
        let file = try #require(try fixture.manifest("first")?.pages[0].state.image?.file)
        var held = unchanged
        held.steps.insert(.wait(gate), at: 0)
        fixture.origin.script("/x", [held, .ok(PrefetchFixture.picture("/x"))])
        try await fixture.accept("second", ["/x"], receivedAt: Timestamp.now().advanced(bySeconds: 1))
        #expect(await eventually { fixture.origin.requests.count == 2 })
        #expect(unlink(try fixture.path(file)) == 0)
        gate.open()
        let page = try await fixture.waitFor("second") { $0.settled }.pages[0]
        #expect(page.state.image?.source == .network)
        #expect(fixture.origin.requests.map { $0.header("If-None-Match") } == [nil, "\"one\"", nil])
    }

    @Test func `a damaged file is not asked about`() async throws {
        let fixture = try await stored()
        let file = try fixture.path(try #require(try fixture.manifest("first")?.pages[0].state.image?.file))
        #expect(chmod(file, 0o640) == 0)
        try Data([1, 2, 3]).write(to: URL(filePath: file))
        #expect(try await later("second", fixture).state.image?.source == .network)
        #expect(fixture.origin.requests.last?.header("If-None-Match") == nil)
    }

    @Test(arguments: [
        ScriptedAnswer.status("503 Service Unavailable"), ScriptedAnswer(.reset),
        ScriptedAnswer.status("500 Internal Server Error"),
    ])
    func `where the origin is down the older copy serves`(answer: ScriptedAnswer) async throws {
        let fixture = try await stored()
        fixture.origin.script("/x", answer)
        let page = try await later("second", fixture)
        #expect(page.state.image?.source == .stale)
        #expect(page.attempts == 2)
        #expect(await fixture.isAtRest())
    }

    @Test func `it also serves where the origin has said that it must be asked`() async throws {
        let fixture = try await stored(headers: ["Cache-Control: max-age=0, must-revalidate", "ETag: \"one\""])
        fixture.origin.script("/x", ScriptedAnswer(.reset))
        #expect(try await later("second", fixture).state.image?.source == .stale)
    }

    @Test func `what the origin says for good is no reason for an older copy`() async throws {
        let fixture = try await stored()
        fixture.origin.script("/x", .status("404 Not Found"))
        let page = try await later("second", fixture)
        #expect(page.state.error?.httpStatus == 404)
    }

    @Test func `what must not be kept is neither asked about nor served`() async throws {
        let fixture = try await stored(headers: ["Cache-Control: no-store", "ETag: \"one\""])
        fixture.origin.script("/x", .status("503 Service Unavailable"))
        let page = try await later("second", fixture)
        #expect(page.state.error?.httpStatus == 503)
        #expect(fixture.origin.requests.last?.header("If-None-Match") == nil)
    }

    @Test func `304 that nobody asked for is a bad response`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.origin.script("/x", unchanged)
        try await fixture.accept("a", ["/x"])
        #expect(try await fixture.waitFor("a") { $0.settled }.pages[0].state.error?.code == .badResponse)
    }
}
