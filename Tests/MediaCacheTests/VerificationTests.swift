import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// Objects held to their names.
struct VerificationTests {
    private let cache: CacheFixture
    private let story: StoryID

    init() async throws {
        cache = try await CacheFixture(durability: .relaxed)
        story = try #require(StoryID("s"))
    }

    /// A picture in the cache that the story holds.
    private func held(_ bytes: [UInt8] = [1, 2, 3], in container: Container? = nil) async throws -> StoredObject {
        let object = try await cache.stored(bytes, key: "a", in: container)
        try await cache.storage.writeManifest(
            [123, 125], of: story, in: container ?? cache.provisioned, pinning: [object.content])
        return object
    }

    private func verifyAll() async -> (checked: Int, lost: [LostObject]) {
        var sum = (checked: 0, lost: [LostObject]())
        var contents = await cache.storage.contents(after: nil)
        while let last = contents.last {
            for content in contents {
                let (checked, _, lost) = await cache.storage.verify(content)
                sum.checked += checked
                sum.lost += lost
            }
            contents = await cache.storage.contents(after: last)
        }
        return sum
    }

    private func lost(_ object: StoredObject) -> LostObject {
        LostObject(
            content: object.content, container: cache.provisioned,
            holders: [StoredStory(id: story, container: cache.provisioned)], isRemoved: true)
    }

    @Test func `what is whole stays, in each container, and each copy is read once`() async throws {
        for value in 0..<200 { _ = try await cache.stored([UInt8(value), 1], key: "key-\(value)") }
        _ = try await cache.stored([7, 1], key: "key-7", in: .fallback(nil))
        let found = await verifyAll()
        #expect(found.checked == 201 && found.lost.isEmpty)
        #expect(await cache.storage.statistics().objects == 201)
        #expect(await cache.storage.statistics().corrupt == 0)
    }

    enum Harm: CaseIterable {
        case flipped, flippedUnseen, cut, longer, emptied, replacedByLink, replacedByFIFO, unreadable

        func apply(to path: String, of bytes: [UInt8]) throws {
            switch self {
            case .flipped: try Disk.write([bytes[0] ^ 1], to: path)
            case .flippedUnseen:
                // Size and time are as they were.
                let times = try #require(Disk.status(path))
                try Disk.write([bytes[0] ^ 1], to: path)
                try checked("utimensat") { utimensat(AT_FDCWD, path, [times.st_atim, times.st_mtim], 0) }
            case .cut: truncate(path, 1)
            case .longer: truncate(path, 1000)
            case .emptied: truncate(path, 0)
            case .replacedByLink:
                try Disk.make("\(path).elsewhere", bytes)
                try Disk.remove(path)
                try Disk.link(path, to: "\(path).elsewhere")
            case .replacedByFIFO:
                try Disk.remove(path)
                mkfifo(path, 0o640)
            case .unreadable: chmod(path, 0)
            }
        }
    }

    @Test(arguments: Harm.allCases)
    func `a file that is not what its name says is removed, and whose it was is told`(harm: Harm) async throws {
        // Root reads everything.
        if harm == .unreadable, getuid() == 0 { return }
        let object = try await held()
        let other = try await cache.stored([4], key: "b")
        let path = cache.path(object.file)
        try harm.apply(to: path, of: [1, 2, 3])

        let found = await verifyAll()
        #expect(found.checked == 2)
        #expect(found.lost == [lost(object)])
        #expect(Disk.status(path) == nil)
        #expect(Disk.status(cache.path(other.file)) != nil)
        let statistics = await cache.storage.statistics()
        #expect(statistics.corrupt == 1 && statistics.objects == 1 && statistics.bytes == 1)
        #expect(try await cache.fresh("a") == nil)
        // What a link led to is nobody's business.
        if harm == .replacedByLink { #expect(Disk.status("\(path).elsewhere") != nil) }
    }

    @Test func `a file that is gone is told, and counted like one that is damaged`() async throws {
        let object = try await held()
        try Disk.remove(cache.path(object.file))
        let found = await verifyAll()
        #expect(found.checked == 1 && found.lost == [lost(object)])
        #expect(await cache.storage.statistics().corrupt == 1)
        #expect(await cache.storage.problems().map(\.code) == [.interference])
        #expect(await cache.storage.statistics().objects == 0)
    }

    @Test func `a container that is gone takes all it had with it`() async throws {
        let object = try await held()
        try Disk.remove(cache.options.path(of: cache.provisioned))
        #expect(await verifyAll().lost == [lost(object)])
    }

    @Test func `what a story holds and an earlier look has found missing is told`() async throws {
        let object = try await held()
        try Disk.remove(cache.path(object.file))
        #expect(try await cache.fresh("a") == nil)
        #expect(await verifyAll().checked == 0)
        #expect(await cache.storage.missing() == [lost(object)])
    }

    @Test func `a directory in the place of a picture stays, and the picture is given up`() async throws {
        let object = try await held()
        let path = cache.path(object.file)
        try Disk.remove(path)
        try Disk.make("\(path)/precious", [1])
        #expect(await verifyAll().lost == [lost(object)])
        #expect(Disk.status("\(path)/precious") != nil)
    }

    @Test func `a folder that is a link is not followed, and nothing in it is touched`() async throws {
        let object = try await held()
        let folder = cache.path("objects/\(object.content.hex.prefix(2))")
        let elsewhere = cache.temporary.path("elsewhere")
        rename(folder, elsewhere)
        try Disk.link(folder, to: elsewhere)
        try Disk.write([9, 9, 9], to: "\(elsewhere)/\(object.content.hex).png")
        let found = await verifyAll()
        // Nothing is known of what is in a folder that cannot be opened.
        #expect(found.checked == 0 && found.lost.isEmpty)
        #expect(try Disk.read("\(elsewhere)/\(object.content.hex).png") == [9, 9, 9])
    }

    @Test func `files that no index knows stay as they are`() async throws {
        _ = try await held()
        let path = cache.path("objects/ab/mine.txt")
        try Disk.make(path, [1])
        #expect(await verifyAll().checked == 1)
        #expect(try Disk.read(path) == [1])
    }

    @Test func `a large file is read in pieces, between which others have their turns`() async throws {
        let bytes = [UInt8](repeating: 5, count: 8 << 20)
        let object = try await cache.stored(bytes, key: "large")
        let isDone = Locked(false)
        async let verified: Void = {
            let found = await cache.storage.verify(object.content)
            isDone.withLock { $0 = true }
            #expect(found.checked == 1 && found.lost.isEmpty)
        }()
        var answers = 0
        while !isDone.withLock({ $0 }) {
            _ = await cache.storage.statistics()
            answers += 1
        }
        await verified
        #expect(answers > 10)
    }

    @Test func `what goes while it is read is not missed`() async throws {
        let object = try await cache.stored([UInt8](repeating: 5, count: 8 << 20), key: "large")
        async let found = cache.storage.verify(object.content)
        let removed = await cache.storage.removeUnpinned(toBytes: 0)
        #expect(removed.objects == 1)
        #expect(await found.lost.isEmpty)
    }

    @Test func `what is known of a key is told, with all who hold it`() async throws {
        #expect(await cache.storage.media("a") == nil)
        let object = try await held()
        let results = try await cache.store([1, 2, 3], key: "a", in: .fallback(nil))
        #expect(results.count == 1)
        let media = try #require(await cache.storage.media("a"))
        #expect(media.object == object)
        #expect(media.freshness == .assumed(at: cache.now))
        #expect(Set(media.containers) == [cache.provisioned, .fallback(nil)])
        #expect(media.holders == [StoredStory(id: story, container: cache.provisioned)])
        try Disk.remove(cache.path(object.file))
        _ = await verifyAll()
        #expect(await cache.storage.media("a")?.containers == [.fallback(nil)])
    }
}
