import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// What the cache keeps within its limits, and what it never removes for them.
struct LimitTests {
    private let cache: CacheFixture
    private let story: StoryID

    init() async throws {
        cache = try await CacheFixture()
        story = try #require(StoryID("s"))
    }

    private func limit(_ bytes: Int64) async {
        var options = cache.options
        options.maxBytes = bytes
        await cache.storage.update(options)
    }

    private func picture(_ value: UInt8, bytes: Int = 100) -> [UInt8] { [UInt8](repeating: value, count: bytes) }

    /// Stores a picture that was last used so many seconds ago.
    @discardableResult
    private func stored(_ value: UInt8, ago: Double, bytes: Int = 100) async throws -> StoredObject {
        let moment = cache.now.advanced(bySeconds: -ago)
        let results = try await cache.store(
            picture(value, bytes: bytes), key: "key-\(value)", freshness: .assumed(at: moment))
        return try #require(results[cache.provisioned]).get()
    }

    private func isThere(_ object: StoredObject) -> Bool { Disk.status(cache.path(object.file)) != nil }

    /// The index counts what is on disk.
    private func expectSums(_ location: SourceLocation = #_sourceLocation) async {
        let files = Disk.files(below: cache.path("objects"))
        let statistics = await cache.storage.statistics()
        #expect(statistics.objects == files.count, sourceLocation: location)
        #expect(statistics.bytes == files.values.reduce(0, +), sourceLocation: location)
    }

    @Test func theLeastRecentlyUsedGoesFirst() async throws {
        await limit(300)
        let objects = [try await stored(1, ago: 30), try await stored(2, ago: 20), try await stored(3, ago: 10)]
        // A hit makes the oldest the newest.
        #expect(try await cache.fresh("key-1") == objects[0])
        let fourth = try await stored(4, ago: 0)
        #expect(objects.map(isThere) == [true, false, true] && isThere(fourth))
        #expect(try await cache.fresh("key-2") == nil)
        #expect(await cache.storage.statistics().evicted == 1)
        await expectSums()
    }

    @Test func whenItWasUsedOutlastsARestart() async throws {
        await limit(200)
        let old = try await stored(1, ago: 20)
        let other = try await stored(2, ago: 10)
        #expect(try await cache.fresh("key-1") == old)
        await cache.storage.close()
        try await cache.storage.open()
        _ = await cache.storage.storiesOnDisk()
        await cache.storage.finishRecovery()
        try await stored(3, ago: 0)
        #expect(isThere(old) && !isThere(other))
    }

    @Test func whatAManifestNamesIsNotRemoved() async throws {
        await limit(200)
        let pinned = try await stored(1, ago: 20)
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [pinned.content])
        let other = try await stored(2, ago: 10)
        try await stored(3, ago: 0)
        #expect(isThere(pinned) && !isThere(other))
        // All that is left is pinned, or too little.
        let failure = await #expect(throws: CacheFailure.self) { try await stored(4, ago: 0, bytes: 150) }
        #expect(failure?.kind == .overLimit && failure?.pageCode == .noSpace && failure?.mayPass == true)
        #expect(isThere(pinned))
        await expectSums()
    }

    @Test func aReplacedStoryLetsGoOfWhatTheNewOneDoesNotName() async throws {
        await limit(200)
        let (one, two) = (try await stored(1, ago: 20), try await stored(2, ago: 10))
        let pins: Set = [one.content, two.content]
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: pins)
        try await cache.storage.writeManifest([2], of: story, in: cache.provisioned, pinning: [one.content])
        try await stored(3, ago: 0)
        #expect(isThere(one) && !isThere(two))
    }

    @Test func whatSomebodyIsAboutToNameStaysUntilHeLetsGo() async throws {
        await limit(200)
        let object = try await stored(1, ago: 20)
        let other = try await stored(2, ago: 10)
        let later = cache.now.advanced(bySeconds: -15)
        var held = try await cache.storage.fresh("key-1", in: cache.provisioned, wantedSince: later, now: later)
        #expect(held?.object == object)
        try await stored(3, ago: 0)
        #expect(isThere(object) && !isThere(other))
        held = nil
        try await stored(4, ago: 0)
        #expect(!isThere(object))
    }

    @Test func anObjectThatIsForgottenAndStoredAgainIsStillPinned() async throws {
        let object = try await stored(1, ago: 20)
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [object.content])
        try Disk.remove(cache.path(object.file))
        #expect(try await cache.fresh("key-1") == nil)
        try await stored(1, ago: 20)
        #expect(await cache.storage.removeUnpinned(toBytes: 0).objects == 0)
        #expect(isThere(object))
    }

    @Test func anObjectLargerThanTheCacheIsRefusedAndNothingGoesForIt() async throws {
        await limit(200)
        let object = try await stored(1, ago: 20)
        let failure = await #expect(throws: CacheFailure.self) { try await stored(2, ago: 0, bytes: 201) }
        #expect(failure?.kind == .tooLarge && failure?.pageCode == .tooLarge && failure?.mayPass == false)
        #expect(isThere(object))
        #expect(try await cache.leftovers().isEmpty)
        #expect(await cache.storage.problems().isEmpty)
    }

    @Test func whatIsReservedIsNobodyElses() async throws {
        await limit(300)
        let object = try cache.description(of: picture(1, bytes: 200))
        let partial = try await cache.storage.makePartial(in: cache.provisioned)
        try partial.descriptor.write(picture(1, bytes: 200))
        try await cache.storage.reserve(object, for: partial, in: cache.provisioned)
        let failure = await #expect(throws: CacheFailure.self) { try await stored(2, ago: 0, bytes: 150) }
        #expect(failure?.kind == .overLimit)
        try await stored(3, ago: 0, bytes: 100)
        let results = await cache.storage.publish(
            partial, as: object, key: "key", freshness: .assumed(at: cache.now), into: [cache.provisioned])
        #expect(throws: Never.self) { try results[cache.provisioned]?.get() }
        #expect(await cache.storage.usedBytes == 300)
        await expectSums()
    }

    @Test func whatIsThereAlreadyIsHeldUntilItIsPublished() async throws {
        await limit(200)
        let object = try await stored(1, ago: 20)
        let other = try await stored(2, ago: 10)
        let partial = try await cache.storage.makePartial(in: cache.provisioned)
        try partial.descriptor.write(picture(1))
        try await cache.storage.reserve(object, for: partial, in: cache.provisioned)
        #expect(await cache.storage.usedBytes == 200)
        try await stored(3, ago: 0)
        #expect(isThere(object) && !isThere(other))
        await cache.storage.discard(partial)
        #expect(await cache.storage.removeUnpinned(toBytes: 0).objects == 2)
        #expect(!isThere(object))
    }

    @Test func whatIsReservedAndDiscardedIsFreeAgain() async throws {
        await limit(300)
        let partial = try await cache.storage.makePartial(in: cache.provisioned)
        let object = try cache.description(of: picture(1, bytes: 200))
        try await cache.storage.reserve(object, for: partial, in: cache.provisioned)
        #expect(await cache.storage.usedBytes == 200)
        await cache.storage.discard(partial)
        #expect(await cache.storage.usedBytes == 0)
    }

    @Test func nothingGoesWhilePinsMayBeMissing() async throws {
        await limit(200)
        let object = try await stored(1, ago: 20)
        let other = try await stored(2, ago: 10)
        _ = await cache.storage.storiesOnDisk()
        let failure = await #expect(throws: CacheFailure.self) { try await stored(3, ago: 0) }
        #expect(failure?.kind == .overLimit)
        #expect(await cache.storage.removeUnpinned(toBytes: 0) == Removal())
        await cache.storage.finishRecovery()
        try await stored(3, ago: 0)
        #expect(!isThere(object) && isThere(other))
    }

    @Test func removingManyIsDoneInSlices() async throws {
        for value: UInt8 in 0..<150 { try await stored(value, ago: Double(200 - Int(value)), bytes: 10) }
        var slices: [Int] = []
        while await cache.storage.usedBytes > 100 {
            slices.append(await cache.storage.removeUnpinned(toBytes: 100).objects)
        }
        #expect(slices == [64, 64, 12])
        await expectSums()
    }

    @Test func aRemovedStoryTakesWithItWhatItAloneHeld() async throws {
        let other = try #require(StoryID("other"))
        let (own, shared, loose) = (
            try await stored(1, ago: 3), try await stored(2, ago: 2), try await stored(3, ago: 1)
        )
        let pins: Set = [own.content, shared.content]
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: pins)
        try await cache.storage.writeManifest([2], of: other, in: cache.provisioned, pinning: [shared.content])
        let removal = try await cache.storage.removeWithObjects(story, in: cache.provisioned, isEviction: false)
        #expect(removal.stories == 1 && removal.objects == 1 && removal.bytes == 100)
        #expect(!isThere(own) && isThere(shared) && isThere(loose))
        #expect(Disk.status(cache.path("stories/s")) == nil)
        #expect(await cache.storage.statistics().evicted == 0)
        // Its manifest removed from outside: the rest goes all the same.
        try Disk.remove(cache.path("stories/other"))
        let rest = try await cache.storage.removeWithObjects(other, in: cache.provisioned, isEviction: true)
        #expect(rest.stories == 0 && rest.objects == 1)
        #expect(await cache.storage.statistics().evicted == 1)
        await expectSums()
    }

    @Test func whatCannotBeRemovedHoldsUpNothingElse() async throws {
        await limit(200)
        let stuck = try await stored(1, ago: 20)
        // unlink(2) of a directory fails.
        try Disk.remove(cache.path(stuck.file))
        _ = try Directory.make(cache.path(stuck.file), mode: 0o750)
        let other = try await stored(2, ago: 10)
        for value: UInt8 in 3...5 { try await stored(value, ago: 0) }
        #expect(!isThere(other))
    }

    @Test func theLimitIsOneForAllContainers() async throws {
        await limit(200)
        let fallback = Container.fallback(nil)
        let moment = cache.now.advanced(bySeconds: -30)
        let first = try await cache.store(picture(1), key: "1", in: fallback, freshness: .assumed(at: moment))
        let object = try #require(first[fallback]).get()
        try await stored(2, ago: 10)
        try await stored(3, ago: 0)
        #expect(Disk.status(cache.path(object.file, in: fallback)) == nil)
        #expect(await cache.storage.usedBytes == 200)
    }

    @Test func theLimitHoldsWhileTheIndexCannotBeUsed() async throws {
        await limit(300)
        let objects = [try await stored(1, ago: 30), try await stored(2, ago: 20)]
        // A directory is in its place, and not empty.
        let index = "\(cache.options.stateDirectory)/index.sqlite"
        try Disk.remove(index)
        _ = try Directory.make("\(index)/taken", mode: 0o700)
        try await stored(3, ago: 10)
        let failure = await #expect(throws: CacheFailure.self) { try await stored(4, ago: 0) }
        #expect(failure?.kind == .overLimit)
        // Nor after a recovery without it, by what is on disk.
        try Disk.remove(cache.path(objects[0].file))
        _ = await cache.storage.storiesOnDisk()
        await cache.storage.finishRecovery()
        #expect(await cache.storage.usedBytes == 200)
        try await stored(4, ago: 0)
        await #expect(throws: CacheFailure.self) { try await stored(5, ago: 0) }
        #expect(Disk.files(below: cache.path("objects")).values.reduce(0, +) == 300)
        // With an index all is as it was.
        try Disk.remove(index)
        // The first one finds that the index is new.
        for _ in 1...2 {
            _ = await cache.storage.storiesOnDisk()
            await cache.storage.finishRecovery()
        }
        #expect(await !cache.storage.needsRecovery)
        #expect(await cache.storage.usedBytes == 300)
        try await stored(6, ago: 0)
        await expectSums()
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "nothing may be mounted here"))
    func aContainerThatNothingCanBeRemovedFromLeavesItToOthers() async throws {
        let disk = try SmallDisk(options: "size=8m")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        // More than one look finds, all older than what can go.
        for value: UInt8 in 0..<100 {
            let moment = cache.now.advanced(bySeconds: -1000)
            _ = try await cache.store(
                picture(value), key: "old-\(value)", in: .fallback(nil), freshness: .assumed(at: moment))
        }
        for value: UInt8 in 100..<110 { _ = try await cache.stored(picture(value), key: "new-\(value)") }
        try disk.remount("ro")
        let removal = await cache.storage.removeUnpinned(toBytes: 10_500)
        #expect(removal.objects == 5 && removal.bytes == 500)
        #expect(Disk.files(below: cache.path("objects")).count == 5)
        #expect(await cache.storage.undeletable == [.fallback(nil)])
        // It is tried again each time.
        try disk.remount("rw")
        #expect(await cache.storage.removeUnpinned(toBytes: 10_400).objects == 1)
        #expect(Disk.files(below: cache.path("objects")).count == 5)
        #expect(await cache.storage.undeletable.isEmpty)
    }
}
