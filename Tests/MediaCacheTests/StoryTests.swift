import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// The files that a player reads.
@Suite struct StoryTests {
    @Test func aManifestIsReplacedWholeAndReadBack() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("8A1F3-02bC"))
        #expect(try await cache.storage.manifest(of: story, in: cache.provisioned) == nil)
        for bytes: [UInt8] in [[1], [2, 2], [3]] {
            try await cache.storage.writeManifest(bytes, of: story, in: cache.provisioned, pinning: [])
            #expect(try await cache.storage.manifest(of: story, in: cache.provisioned) == bytes)
            #expect(try Disk.read(cache.options.manifestPath(of: story, in: cache.provisioned)) == bytes)
        }
        #expect(Disk.files(below: cache.path("")) == ["stories/8A1F3-02bC/manifest.json": 1])
    }

    @Test func whatIsNoRegularFileIsNoManifestAndHoldsUpNobody() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
        let path = cache.options.manifestPath(of: story, in: cache.provisioned)
        try Disk.remove(path)
        #expect(mkfifo(path, 0o600) == 0)
        await #expect(throws: CacheFailure.self) {
            try await cache.storage.manifest(of: story, in: cache.provisioned)
        }
    }

    @Test func theSameStoryOfTwoGroupsIsTwoStories() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
        try await cache.storage.writeManifest([2], of: story, in: .fallback(nil), pinning: [])
        #expect(try await cache.storage.manifest(of: story, in: cache.provisioned) == [1])
        #expect(try await cache.storage.manifest(of: story, in: .fallback(nil)) == [2])
        let stories = await cache.storage.storiesOnDisk()
        #expect(stories.map(\.container) == [cache.provisioned, .fallback(nil)])
    }

    @Test func aManifestsPinsAreThoseOfItsLastWriting() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        let (one, two) = (ContentID.of([1]), ContentID.of([2]))
        for pins: Set<ContentID> in [[one], [one, two], [two], []] {
            try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: pins)
            #expect(await cache.storage.pins(of: story, in: cache.provisioned) == pins)
        }
    }

    @Test func aRemovedStoryLeavesItsObjectsAndNothingElse() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        let object = try await cache.stored([1], key: "a")
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [object.content])
        #expect(try await cache.storage.removeStory(story, in: cache.provisioned))
        #expect(try await !cache.storage.removeStory(story, in: cache.provisioned))
        #expect(Disk.status(cache.path("stories/s")) == nil)
        #expect(await cache.storage.pins(of: story, in: cache.provisioned).isEmpty)
        #expect(try await cache.fresh("a") == object)
    }

    @Test func whatAnotherPutBesideAManifestStays() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [])
        try Disk.make(cache.path("stories/s/notes.txt"))
        #expect(try await cache.storage.removeStory(story, in: cache.provisioned))
        #expect(Disk.files(below: cache.path("")) == ["stories/s/notes.txt": 0])
    }

    /// Where the manifest can be removed and its directory cannot, as on a disk that fails.
    @Test(.enabled(if: SmallDisk.isAllowed, "nothing may be mounted here"))
    func aStoryWhoseDirectoryCannotBeRemovedIsRemovedAllTheSame() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        let object = try await cache.stored([1], key: "a")
        try await cache.storage.writeManifest([1], of: story, in: cache.provisioned, pinning: [object.content])
        // rmdir(2) of a mount point fails.
        let disk = try SmallDisk(options: "size=1m", at: cache.path("stories/s"), of: cache.temporary)
        try Disk.make(cache.path("stories/s/manifest.json"), [1])
        let removal = try await cache.storage.removeWithObjects(story, in: cache.provisioned, isEviction: true)
        #expect(removal.stories == 1 && removal.objects == 1)
        #expect(try await cache.storage.manifest(of: story, in: cache.provisioned) == nil)
        #expect(await cache.storage.pins(of: story, in: cache.provisioned).isEmpty)
        withExtendedLifetime(disk) {}
    }

    @Test func latestIsReplacedAndRemoved() async throws {
        let cache = try await CacheFixture()
        try await cache.storage.writeLatest([1], in: cache.provisioned, decision: 1)
        try await cache.storage.writeLatest([2, 2], in: cache.provisioned, decision: 3)
        try await cache.storage.writeLatest([3], in: cache.provisioned, decision: 2)
        #expect(Disk.files(below: cache.path("")) == ["latest.json": 2])
        try await cache.storage.removeLatest(in: cache.provisioned, decision: 4)
        try await cache.storage.removeLatest(in: cache.provisioned, decision: 4)
        try await cache.storage.removeLatest(in: .fallback(nil), decision: 2)
        #expect(Disk.files(below: cache.path("")).isEmpty)
    }

    @Test func aContainerRemovedFromOutsideIsMadeAgain() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        for container in [cache.provisioned, .fallback(nil)] {
            try await cache.storage.writeManifest([1], of: story, in: container, pinning: [])
            try Disk.remove(cache.path("", in: container))
            #expect(try await cache.storage.manifest(of: story, in: container) == nil)
            try await cache.storage.writeManifest([2], of: story, in: container, pinning: [])
            #expect(try await cache.storage.manifest(of: story, in: container) == [2])
        }
    }
}
