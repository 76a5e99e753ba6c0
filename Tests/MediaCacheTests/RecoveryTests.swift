import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// What a new process finds and makes good: leftovers of a crash, an index that is lost.
@Suite struct RecoveryTests {
    /// Everything that can have happened to the index between two runs.
    enum Harm: CaseIterable, Sendable {
        case none, removed, emptied, zeroed, garbage, cut, otherVersion, noTables

        func apply(to path: String) throws {
            let size = try #require(Disk.status(path)).st_size
            switch self {
            case .none: break
            case .removed: try Disk.remove(path)
            case .emptied: truncate(path, 0)
            case .zeroed: try Disk.write([UInt8](repeating: 0, count: size), to: path)
            case .garbage: try Disk.write((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: path)
            case .cut: truncate(path, off_t(size / 2))
            case .otherVersion: try Database(path: path).execute("PRAGMA user_version = 999")
            case .noTables: try Database(path: path).execute("DROP TABLE source; VACUUM")
            }
        }
    }

    /// A cache with some objects and a story that holds the first, closed again.
    private struct Closed {
        let fixture: CacheFixture
        let story: StoryID
        let holding: Holding

        init() async throws {
            fixture = try await CacheFixture(durability: .relaxed)
            story = try #require(StoryID("s"))
            holding = Holding(key: "a", object: try await fixture.stored([1, 2, 3], key: "a"))
            for value: UInt8 in 10..<60 { _ = try await fixture.stored([value], key: "key-\(value)") }
            try await fixture.storage.writeManifest(
                [123, 125], of: story, in: fixture.provisioned, pinning: [holding.object.content])
            await fixture.storage.close()
        }

        var indexPath: String { fixture.temporary.path("state/index.sqlite") }

        /// The next process: opens, adopts what the one manifest names, clears up. Gives what it missed.
        func reopened() async throws -> (storage: CacheStorage, missing: [Holding]) {
            let storage = try CacheFixture.storage(fixture.options)
            try await storage.open()
            #expect(await storage.needsRecovery)
            var missing: [Holding] = []
            // Damage may show only while it is being recovered from; then once more.
            for _ in 1...2 where await storage.needsRecovery {
                for stored in await storage.storiesOnDisk() {
                    #expect(stored == StoredStory(id: story, container: fixture.provisioned))
                    missing += try await storage.adopt([holding], of: stored.id, in: stored.container, now: fixture.now)
                }
                await storage.finishRecovery()
            }
            #expect(await !storage.needsRecovery)
            return (storage, missing)
        }
    }

    @Test(arguments: Harm.allCases)
    func whateverHappensToTheIndexNothingThatAManifestNamesIsFetchedAgain(_ harm: Harm) async throws {
        let closed = try await Closed()
        try harm.apply(to: closed.indexPath)
        let (storage, missing) = try await closed.reopened()
        let cache = closed.fixture
        #expect(missing.isEmpty)
        #expect(
            try await storage.fresh("a", in: cache.provisioned, wantedSince: cache.now, now: cache.now)?.object
                == closed.holding.object)
        #expect(await storage.pins(of: closed.story, in: cache.provisioned) == [closed.holding.object.content])
        let statistics = await storage.statistics()
        let files = Disk.files(below: cache.path("objects"))
        #expect(statistics.objects == files.count)
        #expect(statistics.bytes == files.values.reduce(0, +))
        if harm == .none { #expect(files.count == 51) }
        #expect(await storage.problems().isEmpty)
    }

    @Test func anAdoptedFileIsLookedAtBeforeItServes() async throws {
        let closed = try await Closed()
        try Disk.remove(closed.indexPath)
        try Disk.write([9], to: closed.fixture.path(closed.holding.object.file))
        let (storage, missing) = try await closed.reopened()
        #expect(missing.isEmpty)
        #expect(
            try await storage.fresh(
                "a", in: closed.fixture.provisioned, wantedSince: closed.fixture.now, now: closed.fixture.now) == nil)
        #expect(await storage.statistics().corrupt == 1)
    }

    @Test func afterARestartAFileIsLookedAtBeforeItServesWhateverItsTimeSays() async throws {
        let closed = try await Closed()
        try FileBytes.flipBit(of: closed.fixture.path(closed.holding.object.file))
        let (storage, missing) = try await closed.reopened()
        #expect(missing.isEmpty)
        let now = closed.fixture.now
        let container = closed.fixture.provisioned
        #expect(try await storage.fresh("a", in: container, wantedSince: now, now: now) == nil)
        #expect(await storage.statistics().corrupt == 1)
        // What is whole serves.
        #expect(try await storage.fresh("key-10", in: container, wantedSince: now, now: now) != nil)
    }

    @Test(arguments: [0, 2])
    func whatAManifestNamesAndIsNotThereIsTold(size: off_t) async throws {
        let closed = try await Closed()
        truncate(closed.fixture.path(closed.holding.object.file), size)
        let (storage, missing) = try await closed.reopened()
        #expect(missing == [closed.holding])
        #expect(Disk.status(closed.fixture.path(closed.holding.object.file)) == nil)
        #expect(await storage.pins(of: closed.story, in: closed.fixture.provisioned).isEmpty)
        #expect(await storage.statistics().objects == 50)
    }

    @Test func whatACrashLeftGoesAndWhatIsKnownStays() async throws {
        let closed = try await Closed()
        let cache = closed.fixture
        let before = Disk.files(below: cache.path(""))
        for number in 0..<500 { try Disk.make(cache.path(".partial/\(number)"), [1]) }
        let stray = ContentID.of([200]).hex
        try Disk.make(cache.path("objects/\(stray.prefix(2))/\(stray).png"), [200])
        try Disk.make(cache.path("objects/\(stray.prefix(2))/other"), [200])
        _ = try Directory.make(cache.path("stories/empty"), mode: 0o750)
        try Disk.make("\(cache.options.path(of: cache.provisioned))/app.db", [1])
        _ = try await closed.reopened()
        #expect(Disk.files(below: cache.path("")) == before)
        #expect(Disk.status(cache.path("stories/empty")) == nil)
        #expect(Disk.status("\(cache.options.path(of: cache.provisioned))/app.db") != nil)
    }

    @Test(arguments: [S_IFREG, S_IFIFO, S_IFLNK])
    func whatIsNoStorysCostsNoStory(kind: mode_t) async throws {
        let closed = try await Closed()
        let stray = "\(closed.fixture.options.path(of: closed.fixture.provisioned))/pw_stories_cache/stories/README"
        switch kind {
        case S_IFLNK: #expect(symlink("/etc", stray) == 0)
        default: #expect(mknod(stray, kind | 0o600, 0) == 0)
        }
        let (storage, missing) = try await closed.reopened()
        #expect(await !storage.needsRecovery && missing.isEmpty)
        var status = stat()
        #expect(lstat(stray, &status) == 0)
    }

    @Test func ofAContainerThatWasEmptiedNothingIsKnown() async throws {
        let closed = try await Closed()
        try Disk.remove(closed.fixture.path(""))
        let (storage, _) = try await closed.reopened()
        let statistics = await storage.statistics()
        #expect(statistics.objects == 0 && statistics.bytes == 0)
        #expect(await storage.usedBytes == 0)
        #expect(await storage.pins(of: closed.story, in: closed.fixture.provisioned).isEmpty)
    }

    @Test func pinsOfAStoryThatIsGoneGo() async throws {
        let closed = try await Closed()
        try Disk.remove(closed.fixture.path("stories/s"))
        let (storage, _) = try await closed.reopened()
        #expect(await storage.pins(of: closed.story, in: closed.fixture.provisioned).isEmpty)
    }

    @Test func aContainerThatIsGoneIsForgotten() async throws {
        let closed = try await Closed()
        try Disk.remove(closed.fixture.options.path(of: closed.fixture.provisioned))
        let (storage, _) = try await closed.reopened()
        #expect(await storage.statistics().objects == 0)
        #expect(await storage.containers().isEmpty)
    }

    @Test func aDownloadUnderWayOutlivesARecovery() async throws {
        let cache = try await CacheFixture()
        let partial = try await cache.storage.makePartial(in: cache.provisioned)
        try partial.descriptor.write([1])
        let object = try await cache.stored([2], key: "b")
        _ = await cache.storage.storiesOnDisk()
        await cache.storage.finishRecovery()
        let results = await cache.storage.publish(
            partial, as: try cache.description(of: [1]), key: "a", freshness: .assumed(at: cache.now),
            into: [cache.provisioned])
        #expect(throws: Never.self) { try results[cache.provisioned]?.get() }
        #expect(try await cache.fresh("b") == object)
    }

    @Test(arguments: [["state/index.sqlite"], ["state/index.sqlite", "state/index.sqlite-wal"], ["state"]])
    func anIndexRemovedWhileOpenIsWrittenAgain(names: [String]) async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        for name in names { try Disk.remove(cache.temporary.path(name)) }
        #expect(try await cache.fresh("a") == object)
        #expect(await cache.storage.statistics().bytes == 3)
        #expect(await !cache.storage.needsRecovery)
        #expect(Disk.status(cache.temporary.path("state/index.sqlite")) != nil)
        await cache.storage.close()
        let next = try CacheFixture.storage(cache.options)
        try await next.open()
        #expect(
            try await next.fresh("a", in: cache.provisioned, wantedSince: cache.now, now: cache.now)?.object == object)
    }

    @Test func anIndexDamagedWhileOpenCostsHitsAndNoObject() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        await cache.storage.breakIndex()
        #expect(try await cache.fresh("a") == nil)
        #expect(await cache.storage.needsRecovery)
        #expect(await cache.storage.problems().map(\.code) == [.indexIncomplete])
        #expect(Disk.status(cache.path(object.file)) != nil)
        // Objects that a manifest may be about to name are not swept away by a recovery in mid-flight.
        _ = await cache.storage.storiesOnDisk()
        await cache.storage.finishRecovery()
        #expect(await cache.storage.problems().isEmpty)
        #expect(await cache.storage.statistics().bytes == 3)
        #expect(try await cache.fresh("a") == nil)
        #expect(try await cache.stored([1, 2, 3], key: "a") == object)
        #expect(try await cache.fresh("a") == object)
        #expect(await cache.storage.statistics().bytes == 3)
    }

    @Test func aSecondOpenerIsToldAndTheFirstIsUnharmed() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1], key: "a")
        let second = try CacheFixture.storage(cache.options)
        let failure = await #expect(throws: CacheFailure.self) { try await second.open() }
        #expect(failure?.kind == .owned)
        #expect(failure?.message.contains("process \(getpid())") == true)
        #expect(try await cache.fresh("a") == object)
        #expect(try await cache.stored([2], key: "b").bytes == 1)
    }

    @Test func theStateDirectoryIsTheDaemonsAlone() async throws {
        let cache = try await CacheFixture()
        #expect(Disk.mode(cache.temporary.path("state")) == 0o700)
        await cache.storage.close()
        chmod(cache.temporary.path("state"), 0o755)
        try await CacheFixture.storage(cache.options).open()
        #expect(Disk.mode(cache.temporary.path("state")) == 0o700)
    }
}

extension CacheStorage {
    /// Takes a table away, as damage would.
    func breakIndex() {
        index.use(orElse: ()) { index throws(DatabaseError) in try index.database.execute("DROP TABLE source") }
    }

    func pins(of story: StoryID, in container: Container) -> Set<ContentID> {
        Set(index.use(orElse: []) { index throws(DatabaseError) in try index.pins(of: story, in: container) })
    }
}
