import Glibc
import Hashing
@testable import MediaCache
import Platform
import Stories
import TestSupport
import Testing

/// Containers: which one a group has, what is made in them, and what is refused.
@Suite struct ContainerTests {
    @Test func aGroupIsProvisionedByARealDirectoryAndNothingElse() async throws {
        let cache = try await CacheFixture()
        #expect(try await cache.storage.container(for: cache.group) == cache.provisioned)
        #expect(try await cache.storage.container(for: nil) == .fallback(nil))
        let (absent, link, file) = (GroupID("absent"), GroupID("link"), GroupID("file"))
        try Disk.link(cache.temporary.path("groups/link"), to: cache.temporary.path("groups/\(cache.group)"))
        try Disk.make(cache.temporary.path("groups/file"))
        for group in [absent, link, file] {
            let container = try await cache.storage.container(for: group)
            #expect(container == .fallback(group))
            #expect(container.isGroupFallback)
        }
        #expect(!Container.fallback(nil).isGroupFallback)
        #expect(cache.options.path(of: .fallback(nil)) == cache.temporary.path("tmp/_"))
        #expect(cache.options.path(of: .fallback(absent)) == cache.temporary.path("tmp/absent"))
    }

    @Test func aProvisionedGroupsDirectoryIsNotMadeByTheCache() async throws {
        let cache = try await CacheFixture()
        let absent = Container.provisioned(try #require(GroupID("absent")))
        await #expect(throws: CacheFailure.self) { try await cache.storage.makePartial(in: absent) }
        #expect(Disk.status(cache.temporary.path("groups/absent")) == nil)
    }

    @Test func directoriesInheritSetGroupIDAndFilesAreOfTheContainersGroup() async throws {
        let cache = try await CacheFixture()
        let container = cache.options.path(of: cache.provisioned)
        // Only root may give a directory to any group.
        let group: gid_t = geteuid() == 0 ? 12_345 : getegid()
        chown(container, uid_t.max, group)
        chmod(container, 0o2750)
        let object = try await cache.stored([1], key: "a")
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([123, 125], of: story, in: cache.provisioned, pinning: [object.content])
        try await cache.storage.writeLatest([123, 125], in: cache.provisioned, decision: 1)
        for name in ["", ".partial", "objects", "objects/\(object.content.hex.prefix(2))", "stories", "stories/s"] {
            #expect(Disk.mode(cache.path(name)) == 0o2750, "\(name)")
            #expect(Disk.status(cache.path(name))?.st_gid == group, "\(name)")
        }
        for name in [object.file, "stories/s/manifest.json", "latest.json"] {
            #expect(Disk.mode(cache.path(name)) == 0o640, "\(name)")
            #expect(Disk.status(cache.path(name))?.st_gid == group, "\(name)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a directory to any group"))
    func withoutSetGroupIDFilesAreOfTheContainersGroupAllTheSame() async throws {
        let cache = try await CacheFixture()
        let container = cache.options.path(of: cache.provisioned)
        chown(container, uid_t.max, 12_345)
        chmod(container, 0o750)
        let object = try await cache.stored([1], key: "a")
        for name in ["", "objects", "objects/\(object.content.hex.prefix(2))", object.file] {
            #expect(Disk.status(cache.path(name))?.st_gid == 12_345, "\(name)")
        }
    }

    @Test func noLinkIsFollowedBelowTheContainer() async throws {
        for name in ["", ".partial", "objects", "objects/_", "stories", "stories/s"] {
            let cache = try await CacheFixture()
            let bytes: [UInt8] = [1, 2, 3]
            let prefix = try cache.description(of: bytes).content.hex.prefix(2)
            let below = name.replacing("_", with: prefix)
            let path = name.isEmpty ? cache.path("").dropLast().description : cache.path(below)
            let elsewhere = cache.temporary.path("elsewhere")
            _ = try Directory.make(elsewhere, mode: 0o755)
            try Disk.make(path)
            try Disk.remove(path)
            try Disk.link(path, to: elsewhere)
            do {
                _ = try await cache.stored(bytes, key: "a")
                #expect(name.hasPrefix("stories"))
            } catch let failure as CacheFailure {
                #expect(failure.kind == .refused, "\(name): \(failure)")
            }
            let story = try #require(StoryID("s"))
            do {
                try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
                #expect(name.hasPrefix("objects"))
            } catch {
                #expect(error.kind == .refused, "\(name): \(error)")
            }
            _ = await cache.storage.storiesOnDisk()
            await cache.storage.finishRecovery()
            #expect(Disk.files(below: elsewhere).isEmpty, "\(name)")
        }
    }

    @Test func aLinkInAnObjectsPlaceIsRefusedAndItsTargetStays() async throws {
        let cache = try await CacheFixture()
        let object = try cache.description(of: [1])
        try Disk.make(cache.temporary.path("precious"), [5])
        try Disk.make(cache.path(object.file))
        try Disk.remove(cache.path(object.file))
        try Disk.link(cache.path(object.file), to: cache.temporary.path("precious"))
        let failure = await #expect(throws: CacheFailure.self) { try await cache.stored([1], key: "a") }
        #expect(failure?.kind == .refused)
        #expect(try Disk.read(cache.temporary.path("precious")) == [5])
        #expect(try await cache.leftovers().isEmpty)
    }

    @Test func aFallbackDirectoryIsUsedOnlyWhileItIsTheDaemonsAlone() async throws {
        let cache = try await CacheFixture()
        let tmp = cache.temporary.path("tmp")
        #expect(await cache.storage.problems().isEmpty)
        for mode: mode_t in [0o777, 0o770, 0o1777] {
            chmod(tmp, mode)
            let failure = await #expect(throws: CacheFailure.self) {
                try await cache.storage.makePartial(in: .fallback(nil))
            }
            #expect(failure?.kind == .refused)
            #expect(await cache.storage.problems().map(\.code) == [.fallbackUnusable])
        }
        // What needs no fallback goes on.
        _ = try await cache.stored([1], key: "a")
        chmod(tmp, 0o755)
        #expect(await cache.storage.problems().isEmpty)
        await cache.storage.discard(try await cache.storage.makePartial(in: .fallback(nil)))
    }

    @Test func aFallbackDirectoryThatIsALinkIsRefused() async throws {
        let elsewhere = try TemporaryDirectory()
        let cache = try await CacheFixture()
        try Disk.remove(cache.temporary.path("tmp"))
        try Disk.link(cache.temporary.path("tmp"), to: elsewhere.path)
        let failure = await #expect(throws: CacheFailure.self) {
            try await cache.storage.makePartial(in: .fallback(nil))
        }
        #expect(failure?.kind == .refused)
        #expect(Disk.files(below: elsewhere.path).isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a directory away"))
    func aFallbackDirectoryOfAnotherUserIsRefused() async throws {
        let cache = try await CacheFixture()
        chown(cache.temporary.path("tmp"), 12_345, gid_t.max)
        let failure = await #expect(throws: CacheFailure.self) {
            try await cache.storage.makePartial(in: .fallback(nil))
        }
        #expect(failure?.kind == .refused)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aContainerWithoutTheRightToWriteIsAProblemThatNamesTheUser() async throws {
        let cache = try await CacheFixture()
        let container = cache.options.path(of: cache.provisioned)
        for isUsed in [false, true] {
            let path = isUsed ? cache.path("objects") : container
            chmod(path, 0o550)
            if isUsed { await #expect(throws: CacheFailure.self) { try await cache.stored([2], key: "b") } }
            let problem = await cache.storage.problems().first
            #expect(problem?.code == .containerUnwritable)
            #expect(problem?.message.contains("user (\(geteuid())) write there") == true)
            chmod(path, 0o750)
            #expect(await cache.storage.problems().isEmpty)
            _ = try await cache.stored([1], key: "a")
        }
    }

    @Test func lookingForProblemsMakesNothing() async throws {
        let cache = try await CacheFixture()
        try Disk.remove(cache.temporary.path("tmp"))
        #expect(await cache.storage.problems().isEmpty)
        #expect(await cache.storage.containers().map(\.container) == [cache.provisioned])
        #expect(Disk.status(cache.temporary.path("tmp")) == nil)
    }

    @Test func reportsNameEveryProvisionedGroupAndTheFallbacksInUse() async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1, 2], key: "a", in: .fallback(nil))
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([1], of: story, in: .fallback(nil), pinning: [])
        let reports = await cache.storage.containers()
        #expect(reports.map(\.container) == [cache.provisioned, .fallback(nil)])
        #expect(reports.map(\.path) == [cache.temporary.path("groups/\(cache.group)"), cache.temporary.path("tmp/_")])
        #expect(reports.map(\.objects) == [0, 1])
        #expect(reports.map(\.bytes) == [0, 2])
    }
}
