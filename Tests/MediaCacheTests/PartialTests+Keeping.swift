import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

// How long partials are kept, and how many.

extension PartialTests {
    @Test func `what nobody wants goes, and so does what is kept when the download succeeds otherwise`() async throws {
        try await keep(100, key: "a")
        try await keep(100, key: "b")
        await cache.storage.dropKept(["a", "none"])
        #expect(await cache.storage.keptKeys == ["b"])
        #expect(try await cache.leftovers().count == 2)
        try await keep(200, key: "b")
        #expect(try await cache.leftovers().count == 2, "the later one has taken its place")
        #expect(try #require(await resume("b")).shown.count == 200)
    }

    @Test func `what was begun is discarded with its notes`() async throws {
        try await keep(400_000)
        let resumed = try #require(await resume())
        await cache.storage.checkpoint(resumed.partial, notes(400_000))
        await cache.storage.discard(resumed.partial)
        #expect(try await cache.leftovers() == [])
    }

    @Test func `of two for one key the larger is found`() async throws {
        for count in [100, 300, 200] {
            try Disk.make(cache.path(".partial/\(count)"), Array(bytes[..<count]))
            try Disk.make(cache.path(".partial/\(count).notes"), notes(count).file)
        }
        let storage = try await restarted()
        #expect(try await cache.leftovers().count == 2)
        #expect(try #require(await resume(of: storage)).shown.count == 300)
    }

    @Test func `an eighth of the cache's bytes is kept beside it, the latest of them`() async throws {
        var options = cache.options
        options.maxBytes = 8 * 1000
        await cache.storage.update(options)
        for key in ["a", "b", "c"] { try await keep(400, key: key) }
        #expect(await cache.storage.keptKeys == ["b", "c"])
        let large = try await partial(1001)
        #expect(await cache.storage.keep(large, notes(1001, key: "d")) == KeptChange(isKept: false, gone: []))
        #expect(await cache.storage.keptKeys == ["b", "c"])
        #expect(try await cache.leftovers().count == 4)
        #expect(await cache.storage.statistics().bytes == 0)
        #expect(await cache.storage.usedBytes == 0)
        options.maxBytes = 8 * 500
        await cache.storage.update(options)
        #expect(await cache.storage.keptKeys == ["c"], "the limit holds from the reload on")
        #expect(try await cache.leftovers().count == 2)
        options.maxBytes = 0
        await cache.storage.close()
        let storage = try CacheFixture.storage(options)
        try await storage.open()
        _ = await storage.storiesOnDisk()
        #expect(await storage.keptKeys == [])
        #expect(try await cache.leftovers() == [])
    }

    @Test func `no more than so many are kept`() async throws {
        for number in 0...KeptPartials.most {
            let partial = try await partial(1)
            let change = await cache.storage.keep(partial, notes(1, key: "\(number)"))
            #expect(change == KeptChange(isKept: true, gone: number == KeptPartials.most ? ["0"] : []))
        }
        #expect(await !cache.storage.keptKeys.contains("0"))
    }

    @Test func `what is kept goes first where a filesystem has less left than is to stay free`() async throws {
        try await keep(400_000)
        _ = try await cache.stored([1], key: "b")
        var options = cache.options
        options.minFreeBytes = .max / 2
        await cache.storage.update(options)
        await #expect(throws: CacheFailure.self) { try await cache.storage.makePartial(in: cache.provisioned) }
        #expect(try await cache.leftovers() == [])
        await cache.storage.update(cache.options)
        try await keep(400_000)
        await cache.storage.update(options)
        #expect(await resume() == nil, "there is no room to go on")
        #expect(try await cache.leftovers() == [])
    }

    @Test func `a container that is removed takes what is kept in it along`() async throws {
        try await keep(400_000)
        let live = try await partial(400_000)
        try Disk.remove(cache.path(""))
        #expect(await resume() == nil)
        #expect(await cache.storage.keep(live, notes(400_000)) == KeptChange(isKept: false, gone: []))
        _ = try await cache.stored([1], key: "b")
        #expect(try await cache.leftovers() == [])
    }
}
