import Glibc
import Hashing
import MediaCache
import Platform
import Stories
import TestSupport
import Testing

/// Filesystems without room, and those that cannot be written to.
@Suite(.enabled(if: SmallDisk.isAllowed, "nothing may be mounted here")) struct FullDiskTests {
    @Test func whatFindsNoRoomFailsAndLeavesNothing() async throws {
        let disk = try SmallDisk(options: "size=1m")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        let fill = try await cache.storedInFallback([UInt8](repeating: 1, count: 700_000), key: "fill")
        // A story holds it: it does not go for others.
        try await cache.storage.writeManifest(
            [1], of: try #require(StoryID("s")), in: .fallback(nil), pinning: [fill.content])
        let before = Disk.files(below: disk.path)
        let large = [UInt8](repeating: 2, count: 500_000)
        // The receiver meets the end of the disk, and gives up.
        let partial = try await cache.storage.makePartial(in: .fallback(nil))
        let failure = #expect(throws: SystemError.self) { try partial.descriptor.write(large) }
        #expect(failure?.isNoSpace == true)
        #expect(await cache.storage.discard(partial, triesRoom: true)?.kind == .noSpace)
        // A copy meets it in the cache.
        _ = try await cache.stored(large, key: "large")
        let copy = await #expect(throws: CacheFailure.self) {
            try await cache.storage.fresh("large", in: .fallback(nil), wantedSince: cache.now, now: cache.now)
        }
        #expect(copy?.kind == .noSpace)
        #expect(copy?.pageCode == .noSpace)
        #expect(Disk.files(below: disk.path) == before)
        // Room comes back, and all goes on.
        try Disk.remove(cache.path(fill.file, in: .fallback(nil)))
        #expect(
            try await cache.storage.fresh("large", in: .fallback(nil), wantedSince: cache.now, now: cache.now) != nil)
    }

    @Test func whatFindsNoInodeFailsAndLeavesNothing() async throws {
        let disk = try SmallDisk(options: "size=1m,nr_inodes=16")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        var kinds: Set<CacheFailure.Kind> = []
        let story = try #require(StoryID("s"))
        var pins: Set<ContentID> = []
        for value: UInt8 in 0..<20 {
            do {
                // Held, or it would make room for the next one.
                pins.insert(try await cache.storedInFallback([value], key: "key-\(value)").content)
                try await cache.storage.writeManifest([1], of: story, in: .fallback(nil), pinning: pins)
            } catch let failure as CacheFailure {
                kinds.insert(failure.kind)
            }
        }
        #expect(kinds == [.noSpace])
        // Which its manifest can tell.
        try await cache.storage.writeManifest([1], of: story, in: .fallback(nil), pinning: [])
        try await cache.storage.writeManifest([1, 2], of: story, in: .fallback(nil), pinning: [])
        #expect(try await cache.leftovers().isEmpty)
        let files = Disk.files(below: cache.path("objects", in: .fallback(nil)))
        #expect(await cache.storage.statistics().bytes == files.values.reduce(0, +))
    }

    @Test func thoseThatLandTogetherLeaveTheManifestItsInodesToo() async throws {
        let disk = try SmallDisk(options: "size=1m,nr_inodes=16")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([1], of: story, in: .fallback(nil), pinning: [])
        var partials: [(partial: Partial, object: StoredObject)] = []
        for value: UInt8 in 0..<4 {
            let partial = try await cache.storage.makePartial(in: .fallback(nil))
            try partial.descriptor.write([value])
            partials.append((partial, try cache.description(of: [value])))
        }
        let (storage, now) = (cache.storage, cache.now)
        let landed = await withTaskGroup { group in
            for (partial, object) in partials {
                group.addTask {
                    await storage.publish(
                        partial, as: object, key: object.file, freshness: .assumed(at: now), into: [.fallback(nil)]
                    ).values.allSatisfy { (try? $0.get()) != nil }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect((1..<4).contains(landed))
        // Of the four that are kept the first object takes two, for directories.
        var space = statvfs()
        #expect(statvfs(disk.path, &space) == 0 && space.f_ffree >= 2)
        try await storage.writeManifest([2], of: story, in: .fallback(nil), pinning: [])
    }

    @Test func objectsLeaveTheFloorFreeAndManifestsDoNot() async throws {
        let disk = try SmallDisk(options: "size=1m")
        for (bytes, inodes): (Int64, Int64) in [(2 << 20, 0), (0, 1 << 40)] {
            let cache = try await CacheFixture(fallback: "\(disk.path)/tmp", minFree: (bytes, inodes))
            let failure = await #expect(throws: CacheFailure.self) {
                try await cache.storage.makePartial(in: .fallback(nil))
            }
            #expect(failure?.kind == .noSpace)
            let story = try #require(StoryID("s"))
            try await cache.storage.writeManifest([1], of: story, in: .fallback(nil), pinning: [])
        }
    }

    @Test func aReadOnlyDiskIsAFailureOfWhatNeedsIt() async throws {
        let disk = try SmallDisk(options: "size=1m")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        let object = try await cache.storedInFallback([1], key: "a")
        try disk.remount("ro")
        let failure = await #expect(throws: CacheFailure.self) { try await cache.storedInFallback([2], key: "b") }
        #expect(failure?.kind == .io)
        #expect(
            try await cache.storage.fresh("a", in: .fallback(nil), wantedSince: cache.now, now: cache.now)?.object
                == object)
        #expect(try await cache.stored([3], key: "c").bytes == 1)
        try disk.remount("rw")
        #expect(try await cache.storedInFallback([2], key: "b").bytes == 1)
    }

    @Test func aFullContainerIsAProblemUntilThereIsRoomForWhatFoundNone() async throws {
        let disk = try SmallDisk(options: "size=1m")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        let filler = try disk.fill(leaving: 200_000)
        #expect(await cache.storage.problems().isEmpty)
        for _ in 1...2 {
            let partials = [
                try await cache.storage.makePartial(in: .fallback(nil)),
                try await cache.storage.makePartial(in: .fallback(nil)),
            ]
            // Two downloads share what room there is.
            try partials[0].descriptor.write([UInt8](repeating: 2, count: 100_000))
            for partial in partials {
                #expect(throws: SystemError.self) {
                    try partial.descriptor.write([UInt8](repeating: 2, count: 300_000))
                }
            }
            for partial in partials { await cache.storage.discard(partial, triesRoom: true) }
        }
        let problems = await cache.storage.problems()
        #expect(problems.map(\.code) == [.containerFull])
        #expect(problems.first?.message.contains("\(disk.path)/tmp/_") == true)
        #expect(problems.first?.message.contains("No space left on device. Make room") == true)
        // What is small still finds room, which says nothing of pictures.
        try await cache.storage.writeLatest([1], in: .fallback(nil), decision: 1)
        #expect(await cache.storage.problems() == problems)
        #expect(try await cache.stored([3], key: "c").bytes == 1)
        try Disk.remove(filler)
        #expect(await cache.storage.problems().isEmpty)
        #expect(try await cache.leftovers().isEmpty)
    }

    @Test func whoAsksAgainAndAgainHasNothingWritten() async throws {
        let cache = try await CacheFixture(trialInterval: .seconds(3600))
        let disk = try SmallDisk(
            options: "size=1m", at: cache.options.path(of: cache.provisioned), of: cache.temporary)
        _ = try await cache.stored([1], key: "a")
        try disk.remount("ro")
        await #expect(throws: CacheFailure.self) { try await cache.stored([2], key: "b") }
        let story = try #require(StoryID("s"))
        await #expect(throws: CacheFailure.self) {
            try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
        }
        // The first question is a trial.
        let problems = await cache.storage.problems()
        try disk.remount("rw")
        #expect(problems.map(\.code) == [.containerUnwritable])
        let told = await cache.storage.problems().map(\.code)
        #expect(told == [.containerUnwritable], "as it was told last")
        // What is written tells that it may be over.
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
        #expect(await cache.storage.problems().isEmpty)
    }

    @Test func oneAfterTheOtherFindsRoomWhereAllAtOnceDidNot() async throws {
        let disk = try SmallDisk(options: "size=1m")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        _ = try disk.fill(leaving: 500_000)
        let large = [UInt8](repeating: 2, count: 300_000)
        do {
            let first = try await cache.storage.makePartial(in: .fallback(nil))
            let second = try await cache.storage.makePartial(in: .fallback(nil))
            try first.descriptor.write(large)
            #expect(throws: SystemError.self) { try second.descriptor.write(large) }
            for partial in [second, first] { await cache.storage.discard(partial, triesRoom: true) }
        }
        #expect(await cache.storage.problems().map(\.code) == [.containerFull])
        _ = try await cache.storedInFallback([1], key: "small")
        #expect(await cache.storage.problems().map(\.code) == [.containerFull])
        _ = try await cache.storedInFallback(large, key: "large")
        #expect(await cache.storage.problems().isEmpty)
    }

    @Test func aContainerWithoutInodesIsAProblem() async throws {
        let disk = try SmallDisk(options: "size=1m,nr_inodes=16")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        let story = try #require(StoryID("s"))
        var pins: Set<ContentID> = []
        for value: UInt8 in 0..<20 {
            guard let stored = try? await cache.storedInFallback([value], key: "key-\(value)") else { continue }
            pins.insert(stored.content)
            try await cache.storage.writeManifest([1], of: story, in: .fallback(nil), pinning: pins)
        }
        let problem = await cache.storage.problems().first
        #expect(problem?.code == .containerFull)
        try Disk.remove(cache.path("objects", in: .fallback(nil)))
        #expect(await cache.storage.problems().isEmpty)
    }

    @Test func aFloorThatIsPassedIsAProblemThatNamesItsKeys() async throws {
        let disk = try SmallDisk(options: "size=1m")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp", minFree: (2 << 20, 0))
        await #expect(throws: CacheFailure.self) { try await cache.storage.makePartial(in: .fallback(nil)) }
        let problem = await cache.storage.problems().first
        #expect(problem?.code == .containerFull)
        #expect(problem?.message.contains("cache.min_free_bytes") == true)
        var options = cache.options
        options.minFreeBytes = 0
        await cache.storage.update(options)
        #expect(await cache.storage.problems().isEmpty)
    }

    @Test func aReadOnlyContainerIsOneProblemWhateverFailsInIt() async throws {
        let cache = try await CacheFixture()
        let container = cache.options.path(of: cache.provisioned)
        let disk = try SmallDisk(options: "size=1m", at: container, of: cache.temporary)
        let object = try await cache.stored([1], key: "a")
        let story = try #require(StoryID("s"))
        try disk.remount("ro")
        // Told before anything wants to be written there.
        let seen = await cache.storage.problems()
        #expect(seen.map(\.code) == [.containerUnwritable])
        #expect(seen.first?.message.hasPrefix("the container of group \(cache.group), \(container), ") == true)
        await #expect(throws: CacheFailure.self) { try await cache.stored([2], key: "b") }
        await #expect(throws: CacheFailure.self) {
            try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
        }
        await #expect(throws: CacheFailure.self) {
            try await cache.storage.writeLatest([1], in: cache.provisioned, decision: 1)
        }
        let problems = await cache.storage.problems()
        #expect(problems.map(\.code) == [.containerUnwritable])
        #expect(problems.first?.message.contains("Read-only file system. Mount") == true)
        #expect(await cache.storage.problems() == problems)
        #expect(try await cache.fresh("a") == object)
        try disk.remount("rw")
        #expect(await cache.storage.problems().isEmpty)
        _ = try await cache.stored([2], key: "b")
    }

    @Test func aContainerThatGoesTakesItsProblemWithIt() async throws {
        let cache = try await CacheFixture()
        let container = cache.options.path(of: cache.provisioned)
        var disk: SmallDisk? = try SmallDisk(options: "size=1m,ro", at: container, of: cache.temporary)
        await #expect(throws: CacheFailure.self) { try await cache.stored([1], key: "a") }
        #expect(await cache.storage.problems().map(\.code) == [.containerUnwritable])
        #expect(disk != nil)
        disk = nil
        try Disk.remove(container)
        #expect(await cache.storage.problems().isEmpty)
        #expect(Disk.status(container) == nil)
    }

    @Test(arguments: [true, false])
    func aFallbackDirectoryOnAReadOnlyDiskIsOneProblem(isThere: Bool) async throws {
        let disk = try SmallDisk(options: "size=1m,mode=750")
        if isThere { try Disk.make("\(disk.path)/tmp/_/file") }
        try disk.remount("ro")
        let cache = try await CacheFixture(fallback: "\(disk.path)/tmp")
        for _ in 1...2 {
            let problems = await cache.storage.problems()
            #expect(problems.map(\.code) == [.fallbackUnusable])
            #expect(problems.first?.message.contains("\(disk.path)/tmp: Read-only file system. Mount") == true)
            await #expect(throws: CacheFailure.self) { try await cache.storage.makePartial(in: .fallback(nil)) }
        }
        try disk.remount("rw")
        #expect(await cache.storage.problems().isEmpty)
    }

    @Test(arguments: [true, false])
    func aStateDirectoryOnAReadOnlyDiskIsRefusedWithItsPathAndReason(isThere: Bool) async throws {
        let disk = try SmallDisk(options: "size=1m")
        if isThere { try Disk.make("\(disk.path)/state/lock") }
        try disk.remount("ro")
        let failure = await #expect(throws: CacheFailure.self) {
            try await CacheFixture(state: "\(disk.path)/state")
        }
        #expect(failure?.message.contains("\(disk.path)/state") == true)
        #expect(failure?.message.hasSuffix("Read-only file system") == true)
    }

    @Test func aFullIndexCostsHitsAndNoObject() async throws {
        let disk = try SmallDisk(options: "size=200k")
        let cache = try await CacheFixture(durability: .relaxed, state: "\(disk.path)/state")
        let filling = try Directory.open(disk.path).openFile("fill", flags: O_WRONLY | O_CREAT, mode: 0o600)
        #expect(throws: SystemError.self) { while true { try filling.write([UInt8](repeating: 1, count: 4096)) } }
        var objects: [StoredObject] = []
        for value: UInt8 in 0..<200 { objects.append(try await cache.stored([value], key: "key-\(value)")) }
        #expect(await cache.storage.needsRecovery)
        #expect(objects.allSatisfy { Disk.status(cache.path($0.file)) != nil })
        ftruncate(filling.raw, 0)
        _ = await cache.storage.storiesOnDisk()
        await cache.storage.finishRecovery()
        #expect(await !cache.storage.needsRecovery)
        #expect(try await cache.stored([0], key: "key-0") == objects[0])
        #expect(try await cache.fresh("key-0") == objects[0])
    }
}

extension CacheFixture {
    fileprivate func storedInFallback(_ bytes: [UInt8], key: String) async throws -> StoredObject {
        try await stored(bytes, key: key, in: .fallback(nil))
    }
}
