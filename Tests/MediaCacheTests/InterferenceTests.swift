import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// What others do to the daemon's files while it runs.
struct InterferenceTests {
    private func problems(_ cache: CacheFixture) async -> [CacheProblem.Code] {
        await cache.storage.problems().map(\.code)
    }

    private func recover(_ cache: CacheFixture) async {
        _ = await cache.storage.storiesOnDisk()
        await cache.storage.finishRecovery()
    }

    // MARK: Containers

    @Test func `a container that was removed is told until it is there again, and counts for nothing`() async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1, 2, 3], key: "a")
        let other = try await cache.stored([4], key: "b", in: .fallback(nil))
        _ = await cache.storage.noticeContainers()
        #expect(await !cache.storage.needsRecovery)
        try Disk.remove("\(cache.options.path(of: cache.provisioned))/pw_stories_cache")
        // Told by the first who asks.
        let told = await cache.storage.problems().filter { $0.code == .interference }
        #expect(told.count == 1 && told[0].message.contains(cache.options.path(of: cache.provisioned)))
        #expect(await cache.storage.needsRecovery)
        await recover(cache)
        #expect(await problems(cache) == [.interference])
        #expect(await cache.storage.statistics().bytes == 1)
        #expect(try await cache.fresh("b", in: .fallback(nil)) == other)
        _ = try await cache.stored([1, 2, 3], key: "a")
        #expect(await problems(cache) == [])
        #expect(await cache.storage.statistics().bytes == 4)
        #expect(
            await cache.storage.noticeContainers().keys.sorted { $0.indexName < $1.indexName } == [cache.provisioned])
        #expect(await !cache.storage.needsRecovery)
    }

    @Test func `a group's directory that was removed is told until its payloads go elsewhere`() async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1, 2, 3], key: "a")
        _ = await cache.storage.noticeContainers()
        try Disk.remove(cache.options.path(of: cache.provisioned))
        #expect(await problems(cache).contains(.interference))
        #expect(try await cache.storage.container(for: cache.group) == .fallback(cache.group))
        await recover(cache)
        #expect(await problems(cache) == [])
        #expect(await cache.storage.statistics().bytes == 0)
    }

    @Test func `a container that is brought in from outside is looked through, and counted`() async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1, 2, 3], key: "a")
        let path = cache.options.path(of: cache.provisioned)
        // Away, as with a disk that is mounted there, and back.
        rename("\(path)/pw_stories_cache", "\(path)/aside")
        _ = await cache.storage.noticeContainers()
        await recover(cache)
        #expect(await cache.storage.statistics().bytes == 0)
        rename("\(path)/aside", "\(path)/pw_stories_cache")
        _ = await cache.storage.noticeContainers()
        #expect(await cache.storage.needsRecovery)
        await recover(cache)
        #expect(await cache.storage.statistics().bytes == 3)
        _ = await cache.storage.noticeContainers()
        #expect(await !cache.storage.needsRecovery)
    }

    @Test func `a container that was removed and made again is another, though it may have the same inode`()
        async throws
    {
        let cache = try await CacheFixture()
        _ = try await cache.stored([1, 2, 3], key: "a")
        _ = await cache.storage.noticeContainers()
        #expect(await !cache.storage.needsRecovery)
        try Disk.remove("\(cache.options.path(of: cache.provisioned))/pw_stories_cache")
        _ = try await cache.stored([4], key: "b")
        _ = await cache.storage.noticeContainers()
        #expect(await cache.storage.needsRecovery)
        await recover(cache)
        #expect(await cache.storage.statistics().bytes == 1)
        _ = await cache.storage.noticeContainers()
        #expect(await !cache.storage.needsRecovery)
    }

    @Test func `of containers that are what they were, each has its turn to have its stories compared`() async throws {
        let cache = try await CacheFixture()
        let story = try #require(StoryID("s"))
        let containers = [cache.provisioned, .fallback(nil), .fallback(cache.group)]
        for container in containers {
            try await cache.storage.writeManifest([123, 125], of: story, in: container, pinning: [])
        }
        #expect(await cache.storage.noticeContainers().count == 3)
        var turns: [Container] = []
        for _ in containers {
            let listed = await cache.storage.noticeContainers()
            #expect(listed.count == 1 && listed.values.allSatisfy { $0 == [story] })
            turns += listed.keys
        }
        #expect(Set(turns) == Set(containers))
    }

    @Test func `a picture that is removed is missed by the next look, and told`() async throws {
        let cache = try await CacheFixture()
        for value: UInt8 in 0..<100 { _ = try await cache.stored([value], key: "key-\(value)") }
        let object = try cache.description(of: [42])
        try Disk.remove(cache.path(object.file))
        var lost: [LostObject] = []
        var last = await cache.storage.look(after: nil)
        var looks = 1
        while let content = last.last {
            lost += last.lost
            last = await cache.storage.look(after: content)
            looks += 1
        }
        #expect(looks == 3)
        #expect(lost.map(\.content) == [object.content])
        #expect(await problems(cache) == [.interference])
        #expect(await cache.storage.statistics().objects == 99)
    }

    // MARK: The state directory

    @Test(arguments: [["state/lock"], ["state"]])
    func `a lock that was removed is taken again, and nobody else gets it`(names: [String]) async throws {
        let cache = try await CacheFixture()
        let memory = ClockMemory(believed: cache.now, doubtedSince: nil)
        await cache.storage.remember(memory)
        for name in names { try Disk.remove(cache.temporary.path(name)) }
        try await cache.storage.keepState()
        #expect(await problems(cache).contains(.interference))
        let second = try CacheFixture.storage(cache.options)
        let failure = await #expect(throws: CacheFailure.self) { try await second.open() }
        #expect(failure?.kind == .owned)
        // What was to be known by the next start still is.
        await cache.storage.close()
        try await second.open()
        #expect(await second.clockMemory == memory)
    }

    @Test func `where another has made and locked it meanwhile, it is the other's`() async throws {
        let cache = try await CacheFixture()
        try Disk.remove(cache.temporary.path("state/lock"))
        let second = try CacheFixture.storage(cache.options)
        try await second.open()
        let failure = await #expect(throws: CacheFailure.self) { try await cache.storage.keepState() }
        #expect(failure?.kind == .owned)
    }

    // MARK: Something else in a file's place

    enum Obstacle: CaseIterable { case emptyDirectory, fullDirectory, fifo }

    private func put(_ obstacle: Obstacle, at path: String) throws {
        switch obstacle {
        case .emptyDirectory: _ = try Directory.make(path, mode: 0o700)
        case .fullDirectory: try Disk.make("\(path)/precious", [1])
        case .fifo: try checked("mkfifo", path: path) { mkfifo(path, 0o600) }
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `what is in the place of the index goes, or is told and stays`(obstacle: Obstacle) async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        let path = cache.temporary.path("state/index.sqlite")
        await cache.storage.close()
        try Disk.remove(path)
        try put(obstacle, at: path)
        try await cache.storage.open()
        await recover(cache)
        if obstacle == .fullDirectory {
            let problem = try #require(await cache.storage.problems().first { $0.code == .indexUnavailable })
            #expect(problem.message.contains("\(path) is a directory: move it away"))
            // Told by what is on disk.
            #expect(await cache.storage.statistics().bytes == 3)
            #expect(Disk.status("\(path)/precious") != nil)
            rename(path, "\(path).aside")
        }
        await recover(cache)
        await recover(cache)
        #expect(await problems(cache) == [])
        #expect(try await cache.stored([1, 2, 3], key: "a") == object)
        #expect(await cache.storage.statistics().bytes == 3)
    }

    @Test(arguments: Obstacle.allCases)
    func `what is in the place of a picture goes, or is told and stays`(obstacle: Obstacle) async throws {
        let cache = try await CacheFixture()
        let object = try cache.description(of: [1, 2, 3])
        let path = cache.path(object.file)
        try Disk.make("\(path).other")
        try put(obstacle, at: path)
        if obstacle == .fullDirectory {
            let failure = await #expect(throws: CacheFailure.self) { try await cache.stored([1, 2, 3], key: "a") }
            #expect(failure?.pageCode == .io)
            let problem = try #require(await cache.storage.problems().first)
            #expect(problem.code == .interference && problem.message.contains(path))
            #expect(Disk.status("\(path)/precious") != nil)
            rename(path, "\(path).aside")
            #expect(await problems(cache) == [])
        }
        #expect(try await cache.stored([1, 2, 3], key: "a") == object)
        #expect(try Disk.read(path) == [1, 2, 3])
    }

    enum Part: String, CaseIterable { case cache = "", objects, folder, partials = ".partial", stories }

    @Test(arguments: Part.allCases)
    func `a file in the place of a directory is told, and all works when it is moved away`(part: Part) async throws {
        let cache = try await CacheFixture()
        _ = try await cache.stored([9], key: "other")
        let object = try cache.description(of: [1, 2, 3])
        let folder = part == .folder ? "objects/\(object.content.hex.prefix(2))" : part.rawValue
        let path = cache.path(folder).hasSuffix("/") ? String(cache.path(folder).dropLast()) : cache.path(folder)
        if Disk.status(path) != nil { rename(path, "\(path).aside") }
        try FileBytes.put([7], at: path)
        func write() async throws {
            _ = try await cache.stored([1, 2, 3], key: "a")
            try await cache.storage.writeManifest(
                [123, 125], of: try #require(StoryID("s")), in: cache.provisioned, pinning: [object.content])
        }
        let failure = await #expect(throws: CacheFailure.self) { try await write() }
        #expect(failure?.pageCode == .io)
        for _ in 1...2 {
            let problem = try #require(await cache.storage.problems().first { $0.code == .containerUnwritable })
            #expect(problem.message.contains(path) && problem.message.contains("move that away"))
        }
        #expect(try Disk.read(path) == [7])
        rename(path, "\(path).mine")
        try await write()
        #expect(await !problems(cache).contains(.containerUnwritable))
    }

    @Test(arguments: [Part.partials, .objects, .folder])
    func `a file in the place of a directory costs no story at the next start`(part: Part) async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "a")
        let story = try #require(StoryID("s"))
        try await cache.storage.writeManifest([123, 125], of: story, in: cache.provisioned, pinning: [object.content])
        await cache.storage.close()
        let path = cache.path(part == .folder ? "objects/\(object.content.hex.prefix(2))" : part.rawValue)
        rename(path, "\(path).aside")
        try FileBytes.put([7], at: path)
        let second = try CacheFixture.storage(cache.options)
        try await second.open()
        #expect(await second.storiesOnDisk() == [StoredStory(id: story, container: cache.provisioned)])
        await second.finishRecovery()
        #expect(await !second.needsRecovery)
        #expect(try Disk.read(path) == [7])
    }

    @Test func `a lock that cannot be made again is told for as long as it is so`() async throws {
        let cache = try await CacheFixture()
        let path = cache.temporary.path("state/lock")
        try Disk.remove(path)
        try Disk.make("\(path)/precious")
        try await cache.storage.keepState()
        let told = await cache.storage.problems().map(\.message)
        #expect(told.contains { $0.contains("cannot be locked again") && $0.contains("move that away") })
        #expect(!told.contains { $0.contains("is made and locked again") })
        rename(path, "\(path).aside")
        try await cache.storage.keepState()
        let toldThen = await cache.storage.problems().map(\.message)
        #expect(toldThen.contains { $0.contains("is made and locked again") })
        #expect(!toldThen.contains { $0.contains("cannot be locked again") })
    }

    @Test func `what was mended is told for a while, once`() {
        var interference = Interference()
        let now = Interference.Instant.now
        interference.note("b", at: now)
        interference.note("a", at: now.advanced(by: .seconds(10)))
        interference.note("b", at: now.advanced(by: .seconds(10)))
        #expect(interference.told(at: now.advanced(by: .seconds(20))) == ["a", "b"])
        #expect(interference.told(at: now.advanced(by: .seconds(26))) == [])
        for number in 0..<1000 { interference.note("\(number)", at: now) }
        #expect(interference.told(at: now).count <= 20)
    }
}
