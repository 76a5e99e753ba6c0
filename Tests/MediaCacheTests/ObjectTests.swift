import Glibc
import Hashing
import MediaCache
import Platform
import Stories
import TestSupport
import Testing

/// Objects: how they come into the cache, how they are found, how damage is noticed.
@Suite struct ObjectTests {
    @Test func aDownloadIsFoundAgainByItsKey() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "https://a/1")
        #expect(object.file == "objects/\(object.content.hex.prefix(2))/\(object.content.hex).png")
        #expect(try Disk.read(cache.path(object.file)) == [1, 2, 3])
        #expect(try await cache.fresh("https://a/1") == object)
        #expect(try await cache.fresh("https://a/2") == nil)
        let statistics = await cache.storage.statistics()
        #expect(statistics.objects == 1)
        #expect(statistics.bytes == 3)
    }

    @Test func whatIsStaleOrNotToBeReusedIsNoHit() async throws {
        let cache = try await CacheFixture()
        for (control, isHit) in [("max-age=60", true), ("max-age=0", false), ("no-cache", false), ("no-store", false)] {
            let freshness = Freshness(ResponseHeaders(cacheControl: control), now: cache.now)
            _ = try await cache.store([1], key: control, freshness: freshness)
            #expect((try await cache.fresh(control) != nil) == isHit, "\(control)")
        }
        #expect(try await cache.fresh("max-age=60", now: cache.now.advanced(bySeconds: 61)) == nil)
    }

    @Test func whatWasObtainedSinceItWasWantedIsAHitHoweverSoonItIsStale() async throws {
        let cache = try await CacheFixture()
        for (control, isHit) in [("max-age=0", true), ("no-cache", true), ("no-store", false)] {
            let freshness = Freshness(ResponseHeaders(cacheControl: control), now: cache.now)
            _ = try await cache.store([1], key: control, freshness: freshness)
            let later = cache.now.advanced(bySeconds: 5)
            #expect((try await cache.fresh(control, wantedSince: cache.now, now: later) != nil) == isHit, "\(control)")
            #expect(try await cache.fresh(control, wantedSince: later, now: later) == nil)
        }
    }

    @Test func whoWaitedForADownloadGetsACopyHoweverShortItMayBeKept() async throws {
        let cache = try await CacheFixture()
        let freshness = Freshness(ResponseHeaders(cacheControl: "no-store"), now: cache.now)
        let object = try #require(
            try await cache.store([1], key: "a", freshness: freshness)[cache.provisioned]
        ).get()
        #expect(try await cache.storage.share(object, with: .fallback(nil), now: cache.now)?.object == object)
        let path = await cache.storage.options.path(of: .fallback(nil))
        #expect(try Disk.read("\(path)/pw_stories_cache/\(object.file)") == [1])
    }

    @Test func aNewAnswerForAKeyTakesThePlaceOfTheOld() async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1], key: "a")
        let second = try await cache.stored([2], key: "a")
        #expect(try await cache.fresh("a") == second)
    }

    @Test func anotherContainerGetsItsOwnCopyWithoutARequest() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        let other = Container.fallback(nil)
        #expect(try await cache.fresh("a", in: other) == object)
        let (one, two) = (cache.path(object.file), cache.path(object.file, in: other))
        #expect(try Disk.read(two) == [1, 2, 3])
        #expect(Disk.status(one)?.st_ino != Disk.status(two)?.st_ino)
        #expect(Disk.status(two)?.st_nlink == 1)
        #expect(await cache.storage.statistics().bytes == 6)
    }

    @Test func oneDownloadIsPublishedIntoSeveralContainers() async throws {
        let cache = try await CacheFixture()
        let group = try #require(GroupID("other"))
        let containers: [Container] = [.fallback(nil), .fallback(group)]
        let results = try await cache.store([7, 7], key: "a", also: containers)
        #expect(results.count == 3)
        for (container, result) in results {
            let object = try result.get()
            #expect(try Disk.read(cache.path(object.file, in: container)) == [7, 7])
        }
        #expect(try await cache.leftovers().isEmpty)
    }

    @Test func oneContainersFailureIsItsOwn() async throws {
        let cache = try await CacheFixture()
        let gone = Container.provisioned(try #require(GroupID("gone")))
        let results = try await cache.store([1], key: "a", also: [gone])
        #expect(throws: Never.self) { try results[cache.provisioned]?.get() }
        #expect(throws: CacheFailure.self) { try #require(results[gone]).get() }
    }

    @Test func aDamagedCopyInAnotherContainerIsNotCopiedOn() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        try Disk.write([9], to: cache.path(object.file))
        try Disk.age(cache.path(object.file))
        #expect(try await cache.fresh("a", in: .fallback(nil)) == nil)
        #expect(Disk.files(below: cache.options.path(of: .fallback(nil))).isEmpty)
    }

    @Test func equalBytesAreKeptOnce() async throws {
        let cache = try await CacheFixture()
        let first = try await cache.stored([1, 2], key: "a")
        let inode = Disk.status(cache.path(first.file))?.st_ino
        let second = try await cache.stored([1, 2], key: "b")
        #expect(first == second)
        #expect(Disk.status(cache.path(first.file))?.st_ino == inode)
        let statistics = await cache.storage.statistics()
        #expect(statistics.deduplicated == 1)
        #expect(statistics.objects == 1)
        #expect(try await cache.leftovers().isEmpty)
    }

    @Test func ofTwoContentsWithOneHashTheFirstStays() async throws {
        let cache = try await CacheFixture()
        let (one, two) = Collision.pair
        try #require(one != two && ContentID.of(one) == ContentID.of(two))
        let object = try await cache.stored(one, key: "a")
        let result = try #require(try await cache.store(two, key: "b")[cache.provisioned])
        let failure = #expect(throws: CacheFailure.self) { try result.get() }
        #expect(failure?.kind == .collision)
        #expect(failure?.pageCode == .io)
        #expect(try Disk.read(cache.path(object.file)) == one)
        #expect(try await cache.fresh("a") == object)
        #expect(try await cache.fresh("b") == nil)
        #expect(await cache.storage.statistics().corrupt == 1)
        #expect(cache.toldCorrupt.withLock { $0 } == [object.file])
        #expect(try await cache.leftovers().isEmpty)
    }

    @Test func aDamagedFileIsReplacedByTheSameContentFetchedAgain() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        try Disk.write([9], to: cache.path(object.file))
        #expect(try await cache.stored([1, 2, 3], key: "a") == object)
        #expect(try Disk.read(cache.path(object.file)) == [1, 2, 3])
        let statistics = await cache.storage.statistics()
        #expect(statistics.corrupt == 1)
        #expect(cache.toldCorrupt.withLock { $0 } == [object.file])
        #expect(statistics.bytes == 3)
    }

    @Test func aFlippedByteIsFoundBeforeTheObjectServes() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        try Disk.write([9], to: cache.path(object.file))
        try Disk.age(cache.path(object.file))
        #expect(try await cache.fresh("a") == nil)
        #expect(Disk.status(cache.path(object.file)) == nil)
        let statistics = await cache.storage.statistics()
        #expect(statistics.corrupt == 1)
        #expect(cache.toldCorrupt.withLock { $0 } == [object.file])
        #expect(statistics.bytes == 0)
    }

    @Test func aFileThatWasOnlyTouchedStillServes() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        try Disk.age(cache.path(object.file))
        #expect(try await cache.fresh("a") == object)
        #expect(await cache.storage.statistics().corrupt == 0)
    }

    @Test func aCutFileIsNoHit() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        truncate(cache.path(object.file), 1)
        #expect(try await cache.fresh("a") == nil)
        #expect(await cache.storage.statistics().bytes == 0)
    }

    @Test func anObjectRemovedFromOutsideIsForgottenAndComesBackByTheNextDownload() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        try Disk.remove(cache.path(object.file))
        #expect(try await cache.fresh("a") == nil)
        #expect(await cache.storage.statistics().objects == 0)
        #expect(try await cache.stored([1, 2, 3], key: "a") == object)
        #expect(try await cache.fresh("a") == object)
    }

    @Test func aContainerRemovedUnderADownloadIsMendedByIt() async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1], key: "a")
        let partial = try await cache.storage.makePartial(in: cache.provisioned)
        try partial.descriptor.write([2, 2])
        try Disk.remove(cache.path(""))
        let results = await cache.storage.publish(
            partial, as: try cache.description(of: [2, 2]), key: "b", freshness: .assumed(at: cache.now),
            into: [cache.provisioned])
        let object = try #require(results[cache.provisioned]).get().object
        #expect(try Disk.read(cache.path(object.file)) == [2, 2])
        #expect(try await cache.fresh("a") == nil)
        #expect(try await cache.fresh("b") == object)
        #expect(await cache.storage.statistics().bytes == 2)
    }

    @Test func aDiscardedDownloadLeavesNothing() async throws {
        let cache = try await CacheFixture()
        let partial = try await cache.storage.makePartial(in: cache.provisioned)
        try partial.descriptor.write([1])
        #expect(try await cache.leftovers().count == 1)
        await cache.storage.discard(partial)
        #expect(Disk.files(below: cache.path("")).isEmpty)
    }

    @Test(arguments: [CacheOptions.Durability.strict, .relaxed])
    func theIndexKnowsTheBytesOnDiskWhateverHappens(_ durability: CacheOptions.Durability) async throws {
        let cache = try await CacheFixture(durability: durability)
        var random = SeededGenerator(seed: 42)
        let containers: [Container] = [cache.provisioned, .fallback(nil), .fallback(GroupID("other"))]
        for step in 0..<(durability == .strict ? 100 : 500) {
            let container = containers[Int.random(in: 0..<3, using: &random)]
            let key = "key-\(Int.random(in: 0..<20, using: &random))"
            let bytes = [UInt8](repeating: UInt8.random(in: 0..<30, using: &random), count: step % 7 + 1)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: _ = try await cache.store(bytes, key: key, in: container)
            case 4: _ = try await cache.store(bytes, key: key, in: containers[0], also: Array(containers[1...]))
            case 5..<8: _ = try await cache.fresh(key, in: container)
            case 8: await cache.storage.discard(try await cache.storage.makePartial(in: container))
            default:
                guard let object = try await cache.fresh(key, in: container) else { continue }
                try Disk.remove(cache.path(object.file, in: container))
                // It is noticed at the next use.
                _ = try await cache.fresh(key, in: container)
            }
        }
        var files: [Int64] = []
        for container in containers { files += Disk.files(below: cache.path("objects", in: container)).values }
        let statistics = await cache.storage.statistics()
        #expect(statistics.objects == files.count)
        #expect(statistics.bytes == files.reduce(0, +))
        let reports = await cache.storage.containers()
        #expect(reports.map(\.bytes).reduce(0, +) == statistics.bytes)
        #expect(try await cache.leftovers().isEmpty)
    }
}
