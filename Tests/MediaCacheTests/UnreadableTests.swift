import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// What cannot be looked at is not gone: no object, no pin and no row goes over an error.
@Suite struct UnreadableTests {
    /// What can stand in the way of a search for stories.
    enum Obstacle: CaseIterable, Sendable {
        case linkedStories, fileForStories, linkedCache, fileForGroups, openFallback

        /// Puts itself where a directory was that is kept beside it, and gives how it is taken away again.
        func place(in cache: CacheFixture) throws -> () throws -> Void {
            switch self {
            case .linkedStories: return try replace(cache.path("stories")) { try Disk.link($0, to: $1) }
            case .fileForStories: return try replace(cache.path("stories")) { path, _ in try Disk.make(path) }
            case .linkedCache:
                return try replace("\(cache.options.path(of: cache.provisioned))/pw_stories_cache") {
                    try Disk.link($0, to: $1)
                }
            case .fileForGroups: return try replace(cache.options.appGroupsRoot) { path, _ in try Disk.make(path) }
            case .openFallback:
                let path = cache.options.fallbackDirectory
                try checked("chmod", path: path) { chmod(path, 0o777) }
                return { try checked("chmod", path: path) { chmod(path, 0o750) } }
            }
        }

        private func replace(
            _ path: String, _ make: (_ path: String, _ kept: String) throws -> Void
        ) throws -> () throws -> Void {
            // Hidden, so that it is taken for no story and no group.
            let slash = try #require(path.lastIndex(of: "/"))
            let kept = "\(path[..<slash])/.kept"
            try checked("rename", path: path) { rename(path, kept) }
            try make(path, kept)
            return {
                try Disk.remove(path)
                try checked("rename", path: kept) { rename(kept, path) }
            }
        }
    }

    /// The container that the obstacle stands in.
    private func container(_ obstacle: Obstacle, _ cache: CacheFixture) -> Container {
        obstacle == .openFallback ? .fallback(nil) : cache.provisioned
    }

    /// Tells the index all that can be read.
    private func recover(_ storage: CacheStorage, _ holding: Holding, now: Timestamp) async throws {
        for stored in await storage.storiesOnDisk() {
            #expect(try await storage.adopt([holding], of: stored.id, in: stored.container, now: now).isEmpty)
        }
        await storage.finishRecovery()
    }

    @Test(arguments: Obstacle.allCases, [false, true])
    func whatCannotBeSearchedKeepsItsObjectsAndPins(_ obstacle: Obstacle, isIndexLost: Bool) async throws {
        let cache = try await CacheFixture()
        let container = container(obstacle, cache)
        let story = try #require(StoryID("s"))
        let object = try await cache.stored([1, 2, 3], key: "a", in: container)
        try await cache.storage.writeManifest([1], of: story, in: container, pinning: [object.content])
        await cache.storage.close()
        if isIndexLost { try Disk.remove(cache.temporary.path("state/index.sqlite")) }
        let clear = try obstacle.place(in: cache)
        // Opening it says that a fallback directory is refused, and goes on.
        let storage = try CacheFixture.storage(cache.options)
        try await storage.open()
        let holding = Holding(key: "a", object: object)
        for _ in 1...2 {
            try await recover(storage, holding, now: cache.now)
            #expect(await storage.needsRecovery)
            let problem = await storage.problems().first
            #expect(problem?.code == .indexIncomplete)
            #expect(problem?.message.hasPrefix("not searched for ") == true, "\(problem?.message ?? "")")
            if !isIndexLost { #expect(await storage.pins(of: story, in: container) == [object.content]) }
        }
        try clear()
        try await recover(storage, holding, now: cache.now)
        #expect(await !storage.needsRecovery)
        #expect(await storage.problems().isEmpty)
        #expect(await storage.pins(of: story, in: container) == [object.content])
        #expect(try Disk.read(cache.path(object.file, in: container)) == [1, 2, 3])
        let later = cache.now.advanced(bySeconds: 1)
        #expect(try await storage.fresh("a", in: container, wantedSince: later, now: later)?.object == object)
    }

    @Test func othersAreClearedAllTheSame() async throws {
        let cache = try await CacheFixture()
        try Disk.make(cache.path("stories"))
        let stray = ContentID.of([200]).hex
        let name = "objects/\(stray.prefix(2))/\(stray).png"
        try Disk.make(cache.path(name), [200])
        try Disk.make(cache.path(name, in: .fallback(nil)), [200])
        let storage = try CacheFixture.storage(cache.options)
        await cache.storage.close()
        try await storage.open()
        _ = await storage.storiesOnDisk()
        await storage.finishRecovery()
        #expect(Disk.status(cache.path(name)) != nil)
        #expect(Disk.status(cache.path(name, in: .fallback(nil))) == nil)
    }

    @Test func aContainerThatComesWhileTheStoriesAreToldIsNotCleared() async throws {
        let cache = try await CacheFixture()
        await cache.storage.close()
        let storage = try CacheFixture.storage(cache.options)
        try await storage.open()
        _ = await storage.storiesOnDisk()
        let late = Container.provisioned(try #require(GroupID("late")))
        let stray = ContentID.of([200]).hex
        let path = cache.path("objects/\(stray.prefix(2))/\(stray).png", in: late)
        try Disk.make(path, [200])
        await storage.finishRecovery()
        #expect(Disk.status(path) != nil)
    }
}
