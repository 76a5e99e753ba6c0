import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

// What is on disk when, and what is left where the process or the power goes in between.

extension PartialTests {
    /// The power goes after the second checkpoint, and takes what was not waited for: with that, what the notes say first.
    @Test(arguments: [9_000_000, 8_999_999, 4_500_000, 4_499_999, 0])
    func `what was on disk before the last checkpoint is gone on with where that was lost`(left: Int) async throws {
        let partial = try await partial(9_000_000)
        await cache.storage.checkpoint(partial, notes(4_500_000))
        await cache.storage.checkpoint(partial, notes(9_000_000))
        // As long as before, and zeros from there on.
        truncate(path(partial), off_t(left))
        truncate(path(partial), 9_000_000)
        let storage = try await restarted()
        let resumed = await resume(of: storage)
        #expect(resumed?.shown.count == [9_000_000: 9_000_000, 8_999_999: 4_500_000, 4_500_000: 4_500_000][left])
        if let resumed {
            #expect(resumed.shown == Array(bytes[..<resumed.shown.count]))
            #expect(try resumed.partial.descriptor.status().size == Int64(resumed.shown.count))
        }
    }

    @Test(arguments: [("\"v2\"", "a"), ("\"v1\"", "b")])
    func `what was on disk of another body is not gone on with as this one`(
        validator: String, source: String
    ) async throws {
        let partial = try await partial(4_500_000)
        await cache.storage.checkpoint(partial, notes(4_500_000))
        // The origin has another picture by now, from its first byte.
        let other = [UInt8](repeating: 3, count: 5_000_000)
        try partial.descriptor.truncate(to: 0)
        try partial.descriptor.write(other)
        await cache.storage.checkpoint(partial, notes(other, validator, from: source))
        // The power goes, and with it all that was not waited for: the old bytes are there.
        try Disk.write(Array(bytes[..<4_500_000]), to: path(partial))
        let storage = try await restarted()
        #expect(await resume(of: storage)?.notes == nil)
        #expect(try await cache.leftovers() == [])
    }

    /// What the download that is gone on with was left by.
    enum Former: CaseIterable, Sendable {
        case kept, killed, powerCut
    }

    @Test(arguments: Former.allCases)
    func `what was gone on with is on disk, and the next power cut leaves it`(_ former: Former) async throws {
        var storage = cache.storage
        let partial: Partial
        if former == .kept {
            partial = try await keep(4_500_000)
        } else {
            partial = try await self.partial(4_500_000)
            await storage.checkpoint(partial, notes(4_500_000))
            if former == .powerCut {
                try partial.descriptor.write(Array(bytes[4_500_000..<4_600_000]))
                await storage.checkpoint(partial, notes(4_600_000))
                truncate(path(partial), 4_500_000)
            }
            storage = try await restarted()
        }
        let resumed = try #require(await resume(of: storage))
        #expect(resumed.shown.count == 4_500_000)
        try resumed.partial.descriptor.write(Array(bytes[4_500_000..<4_700_000]))
        await storage.checkpoint(resumed.partial, notes(4_700_000))
        truncate(path(partial), 4_500_000)
        truncate(path(partial), 4_700_000)
        await storage.close()
        let next = try CacheFixture.storage(cache.options)
        try await next.open()
        _ = await next.storiesOnDisk()
        #expect(await resume(of: next)?.shown == Array(bytes[..<4_500_000]))
    }

    @Test func `what the disk did not take is never published`() async throws {
        let partial = try await partial(9_000_000)
        // An O_PATH descriptor tells all of its file, and fsync(2) of it fails, as it does on a disk that is broken.
        let path = try Directory.open(cache.path(".partial")).openFile(partial.name, flags: 0x20_0000)
        let broken = Partial(descriptor: path, name: partial.name, container: partial.container)
        await cache.storage.replace(partial, with: broken)
        await cache.storage.checkpoint(broken, notes(9_000_000))
        // The kernel says it once.
        await cache.storage.replace(broken, with: partial)
        let results = await cache.storage.publish(
            partial, as: try cache.description(of: Array(bytes[..<9_000_000])), key: "a",
            freshness: .assumed(at: cache.now), into: [cache.provisioned])
        #expect(throws: CacheFailure.self) { try results[cache.provisioned]?.get() }
        #expect(try await cache.leftovers() == [])
    }

    @Test func `a checkpoint that comes when its download has ended is none`() async throws {
        let (kept, discarded) = (try await keep(400_000), try await partial(10))
        await cache.storage.checkpoint(kept, notes(200_000))
        await cache.storage.discard(discarded)
        await cache.storage.checkpoint(discarded, notes(10))
        let resumed = try #require(await resume())
        // The same name, and another download.
        await cache.storage.checkpoint(kept, notes(100_000))
        let storage = try await restarted()
        #expect(try #require(await resume(of: storage)).shown.count == 400_000)
        withExtendedLifetime(resumed) {}
    }

    @Test func `of many checkpoints the last one comes to be noted`() async throws {
        let partials = [try await partial(700_000), try await partial(700_000)]
        let checkpoints = Checkpoints(of: cache.storage)
        for count in 1...700 {
            for (number, partial) in partials.enumerated() {
                checkpoints.note(partial, notes(count * 1000, key: "\(number)"))
            }
        }
        for (number, partial) in partials.enumerated() {
            let last = notes(700_000, key: "\(number)")
            #expect(
                try await eventually {
                    let notes = try PartialNotes(file: Disk.read(path(partial) + ".notes"))
                    return notes?.key == last.key && notes?.written == last.written
                })
        }
    }
}

extension CacheStorage {
    /// Takes another for the partial that is under way by that name.
    fileprivate func replace(_ partial: Partial, with other: Partial) { livePartials[partial.name] = other }
}
