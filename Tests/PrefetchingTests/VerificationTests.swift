import Glibc
import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

@Suite(.timeLimit(.minutes(1))) struct `What a verification finds` {
    private func path(_ fixture: PrefetchFixture, _ manifest: Manifest, _ page: Int) throws -> String {
        try fixture.path(try #require(manifest.pages[page].state.image).file)
    }

    /// Two stories, `a` of `/0` and `b` of `/1`, that are ready.
    private func twoReady() async throws -> PrefetchFixture {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        for (id, path) in [("a", "/0"), ("b", "/1")] {
            try await fixture.accept(id, [path])
            _ = try await fixture.waitFor(id) { $0.state == .ready }
        }
        #expect(await fixture.isAtRest())
        return fixture
    }

    /// Waits until the manifest on disk says so. (It may still name a picture that is damaged.)
    private func waitFor(_ state: StoryState, _ fixture: PrefetchFixture) async throws -> Manifest {
        let path = try fixture.path("stories/a/manifest.json")
        let isThere = try await eventually { try Manifest(bytes: FileBytes.read(path)).state == state }
        #expect(isThere)
        return try Manifest(bytes: FileBytes.read(path))
    }

    @Test func `a damaged picture is fetched again for all its stories, and nothing else is`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1", "/2"])
        try await fixture.accept("a", ["/0", "/1"], receivedAt: .now().advanced(bySeconds: -86_400 * 10))
        let first = try await fixture.waitFor("a") { $0.state == .ready }
        try await fixture.accept("b", ["/1", "/2", "/1"])
        let second = try await fixture.waitFor("b") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        #expect(await fixture.prefetcher.verify() == Verification(checked: 3, corrupt: 0, repaired: 0))

        try FileBytes.flipBit(of: path(fixture, first, 1))
        #expect(await fixture.prefetcher.verify() == Verification(checked: 3, corrupt: 1, repaired: 1))
        for (id, before) in [("a", first), ("b", second)] {
            let after = try #require(try fixture.manifest(id))
            #expect(after.state == .ready && after.settled)
            #expect(after.revision > before.revision)
            #expect(after.pages[id == "a" ? 1 : 0].state.image?.source == .network)
        }
        #expect(fixture.requests == ["/0": 1, "/1": 2, "/2": 1])
        #expect(await fixture.isAtRest())
        #expect(await fixture.prefetcher.verify() == Verification(checked: 3, corrupt: 0, repaired: 0))
    }

    @Test func `the manifest says pending while the picture is fetched again`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        try await fixture.accept("a", ["/0", "/1"])
        let before = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        let gate = try fixture.hold(["/1"])[0]
        try FileBytes.flipBit(of: path(fixture, before, 1))
        async let found = fixture.prefetcher.verify()
        let meanwhile = try await waitFor(.partial, fixture)
        #expect(meanwhile.settled && meanwhile.pages[0].state.isCached)
        // It may have passed over what the second is asked for.
        #expect(await fixture.prefetcher.verify() == nil)
        gate.open()
        #expect(await found == Verification(checked: 2, corrupt: 1, repaired: 1))
        #expect(try fixture.manifest("a")?.state == .ready)
    }

    @Test func `a picture that is gone counts as one that is damaged`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        try await fixture.accept("a", ["/0"])
        let manifest = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        unlink(try path(fixture, manifest, 0))
        #expect(await fixture.prefetcher.verify() == Verification(checked: 1, corrupt: 1, repaired: 1))
        // Found missing before, when another story wanted it.
        let again = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        unlink(try path(fixture, again, 0))
        fixture.origin.script("/0", .status("404 Not Found"))
        try await fixture.accept("b", ["/0"])
        _ = try await fixture.waitFor("b") { $0.settled }
        fixture.serve(["/0"])
        #expect(await fixture.prefetcher.verify() == Verification(checked: 1, corrupt: 1, repaired: 1))
        #expect(try fixture.manifest("a")?.state == .ready)
    }

    @Test func `what the origin does not have any more stays missing, and is told so`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        try await fixture.accept("a", ["/0", "/1"])
        let manifest = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        fixture.origin.script("/1", .status("404 Not Found"))
        try FileBytes.flipBit(of: path(fixture, manifest, 1))
        #expect(await fixture.prefetcher.verify() == Verification(checked: 2, corrupt: 1, repaired: 0))
        let after = try #require(try fixture.manifest("a"))
        #expect(after.state == .partial && after.pages[1].state.error?.code == .httpStatus)
    }

    @Test func `a damaged picture that no story holds is removed, and missed by nobody`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0", "/1"])
        try await fixture.accept("b", ["/0"])
        let manifest = try await fixture.waitFor("b") { $0.state == .ready }
        try await fixture.forget("b")
        try await fixture.accept("a", ["/1"])
        _ = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        let path = try path(fixture, manifest, 0)
        try FileBytes.flipBit(of: path)
        #expect(await fixture.prefetcher.verify() == Verification(checked: 2, corrupt: 1, repaired: 1))
        #expect(access(path, F_OK) != 0)
        #expect(fixture.requests == ["/0": 1, "/1": 1])
    }

    /// Puts something in the place of the manifest that nothing can be read from; answers what puts it back.
    private func hide(_ id: String, _ fixture: PrefetchFixture, damaged: Bool) throws -> () throws -> Void {
        let path = try fixture.path("stories/\(id)/manifest.json")
        rename(path, "\(path).aside")
        if damaged { try FileBytes.put([123], at: path) } else { mkfifo(path, 0o640) }
        return { try checked("rename") { rename("\(path).aside", path) } }
    }

    @Test(arguments: [false, true])
    func `a picture whose story cannot be read is lost once, and not repaired before it is`(damaged: Bool) async throws
    {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        try await fixture.accept("a", ["/0"])
        let manifest = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        let putBack = try hide("a", fixture, damaged: damaged)
        try FileBytes.flipBit(of: path(fixture, manifest, 0))
        #expect(await fixture.prefetcher.verify() == Verification(checked: 1, corrupt: 1, repaired: 0))
        try putBack()
        #expect(await fixture.prefetcher.verify() == Verification(checked: 1, corrupt: 1, repaired: 1))
        #expect(try fixture.manifest("a")?.state == .ready)
    }

    @Test func `a story that can be read only while others are repaired is repaired as well`() async throws {
        let fixture = try await twoReady()
        for id in ["a", "b"] { try FileBytes.flipBit(of: path(fixture, try #require(try fixture.manifest(id)), 0)) }
        let putBack = try hide("b", fixture, damaged: false)
        let gate = try fixture.hold(["/0"])[0]
        async let found = fixture.prefetcher.verify()
        _ = try await waitFor(.failed, fixture)
        try putBack()
        gate.open()
        #expect(await found == Verification(checked: 2, corrupt: 2, repaired: 2))
        for id in ["a", "b"] { #expect(try fixture.manifest(id)?.state == .ready) }
    }

    @Test func `what turns out to be missing while others are repaired is repaired as well`() async throws {
        let fixture = try await twoReady()
        let other = try #require(try fixture.manifest("b")?.pages[0].state.image)
        try FileBytes.flipBit(of: path(fixture, try #require(try fixture.manifest("a")), 0))
        let gate = try fixture.hold(["/0"])[0]
        async let found = fixture.prefetcher.verify()
        _ = try await waitFor(.failed, fixture)
        // Found missing as a story that is about to name it would leave it: held, and in no container.
        unlink(try fixture.path(other.file))
        let container = Container.provisioned(try #require(PrefetchFixture.group))
        #expect(
            try await fixture.storage.fresh(
                fixture.origin.url("/1"), in: container, wantedSince: .now(), now: .now()) == nil)
        gate.open()
        #expect(await found == Verification(checked: 2, corrupt: 2, repaired: 2))
        #expect(try fixture.manifest("b")?.state == .ready)
    }

    @Test func `a stop ends a verification that waits`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/0"])
        try await fixture.accept("a", ["/0"])
        let manifest = try await fixture.waitFor("a") { $0.state == .ready }
        #expect(await fixture.isAtRest())
        let gate = try fixture.hold(["/0"])[0]
        try FileBytes.flipBit(of: path(fixture, manifest, 0))
        async let found = fixture.prefetcher.verify()
        _ = try await waitFor(.failed, fixture)
        await fixture.prefetcher.stop()
        #expect(await found == Verification(checked: 1, corrupt: 1, repaired: 0))
        gate.open()
    }
}
