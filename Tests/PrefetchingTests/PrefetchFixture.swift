import Addresses
import Foundation
import Glibc
import Hashing
import JSON
import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing
import Transfers

@testable import Prefetching

/// A prefetcher with all its real parts over directories of its own, an origin for it, and the eyes of a player.
final class PrefetchFixture: Sendable {
    let origin: ScriptedOrigin
    let directory: TemporaryDirectory
    let storage: CacheStorage
    let loop: TransferLoop
    let prefetcher: Prefetcher
    /// Called for each event, and all events that were told.
    let whenTold = Locked<@Sendable (StoryEvent) -> Void>({ _ in })
    private let events = Locked<[StoryEvent]>([])
    private let cacheOptions: CacheOptions

    /// The group that is provisioned, and one that is not.
    static let group = GroupID("group.com.example.app")
    static let stranger = GroupID("group.com.example.other")

    /// `earlier`: takes its directories and its origin, as after a restart. `recovers`: false leaves that to the test.
    init(
        after earlier: PrefetchFixture? = nil, allowHTTP: Bool = true, recovers: Bool = true,
        _ change: (inout PrefetchOptions) -> Void = { _ in }
    ) async throws {
        directory = try earlier?.directory ?? TemporaryDirectory()
        origin = try earlier?.origin ?? ScriptedOrigin()
        cacheOptions = CacheOptions(
            stateDirectory: directory.path("state"), appGroupsRoot: directory.path("groups"),
            fallbackDirectory: directory.path("tmp"), minFreeBytes: 0, minFreeInodes: 0)
        storage = CacheStorage(
            options: cacheOptions, executor: try #require(Self.executor), log: Log(program: "test", level: .error))
        var transferOptions = TransferOptions()
        transferOptions.addresses = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap { AddressRange($0) })
        transferOptions.allowHTTP = allowHTTP
        loop = try TransferLoop(options: transferOptions, log: Log(program: "test", level: .error))
        var options = PrefetchOptions(
            queue: FetchQueue.Limits(
                concurrency: 16, perHost: 6,
                retry: RetryPolicy(
                    maxAttempts: 2, base: .milliseconds(10), cap: .seconds(60), horizon: .seconds(3600))),
            storyDeadline: .seconds(60), ignoredQueryParameters: [])
        change(&options)
        prefetcher = Prefetcher(
            options: options, storage: storage, transfers: loop, log: Log(program: "test", level: .error),
            listener: StoryListener(isListening: { true }) { [events, whenTold] event in
                events.withLock { $0.append(event) }
                whenTold.withLock { $0 }(event)
            })
        if earlier == nil { try provision(Self.group) }
        try await storage.open()
        if recovers { await prefetcher.recover() }
    }

    deinit {
        let loop = loop
        Task { await loop.stop() }
    }

    /// The one thread that all tests' storages share: threads live as long as the process.
    private static let executor = try? ThreadExecutor(name: "storage")

    func provision(_ group: GroupID?) throws {
        _ = try Directory.make(directory.path("groups/\(try #require(group))"), mode: 0o2750)
    }

    /// Ends everything as the daemon does.
    func stop() async {
        await prefetcher.stop()
        await loop.stop()
        await storage.close()
    }

    // MARK: Events

    /// What was told of stories, in words, without the progress of bytes.
    func told() -> [String] {
        events.withLock { $0 }.compactMap { event in
            switch event.news {
            case .accepted(let record): "accepted \(record.revision) \(record.state)"
            case .settled(let record): "settled \(record.revision) \(record.state)"
            case .updated(let record): "updated \(record.revision) \(record.state)"
            case .progress: nil
            case .attemptFailed(let page): "attempt for \(page.page.index) failed"
            case .pageEnded(let page): "ended \(page.page.index) \(page.state.name)"
            case .deleted: "deleted"
            }
        }
    }

    /// Waits until such a word is told.
    func hears(_ word: String) async throws {
        let isTold = await eventually { told().contains { $0.hasPrefix(word) } }
        try #require(isTold, "told: \(told())")
    }

    func forgetTold() { events.withLock { $0 = [] } }

    // MARK: Payloads

    /// Takes in a story whose pages have the pictures at these paths of the origin.
    func accept(
        _ id: String, _ paths: [String], group: GroupID? = PrefetchFixture.group, title: String = "",
        category: String = "", host: String = "127.0.0.1",
        receivedAt: Timestamp = .now()
    ) async throws {
        let pages = paths.map { #"{"image": "\#(origin.url($0, host: host))"}"# }.joined(separator: ",")
        try await acceptPayload(
            """
            {"p": "\(id)", "aps": {"alert": "\(title)", "category": "\(category)"}, "pw_stories": {"pages": [\(pages)]}}
            """, group: group, receivedAt: receivedAt)
    }

    func acceptPayload(
        _ text: String, group: GroupID? = PrefetchFixture.group, receivedAt: Timestamp = .now()
    ) async throws {
        for story in try PayloadParser.stories(from: Array(text.utf8), limits: PayloadLimits()) {
            try await prefetcher.accept(story, group: group, receivedAt: receivedAt)
        }
    }

    // MARK: The origin

    /// Serves a picture at each path, all different.
    @discardableResult
    func serve(_ paths: [String]) -> [String: [UInt8]] {
        var pictures: [String: [UInt8]] = [:]
        for path in paths {
            pictures[path] = Self.picture(path)
            origin.script(path, .ok(Self.picture(path)))
        }
        return pictures
    }

    /// Serves a picture at each path, once its gate is open.
    func hold(_ paths: [String]) throws -> [Gate] {
        try paths.map { path in
            let gate = try Gate()
            var answer = ScriptedAnswer.ok(Self.picture(path))
            answer.steps.insert(.wait(gate), at: 0)
            origin.script(path, answer)
            return gate
        }
    }

    static func picture(_ path: String) -> [UInt8] {
        SampleImages.png(seed: path.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xfff_ffff })
    }

    /// How often each path was asked for.
    var requests: [String: Int] { origin.requests.reduce(into: [:]) { $0[$1.target, default: 0] += 1 } }

    // MARK: The player

    /// Removes a story from under the prefetcher; its pictures stay, and nothing names them any more.
    func forget(_ id: String) async throws {
        let container = Container.provisioned(try #require(Self.group))
        try await storage.removeStory(try #require(StoryID(id)), in: container)
    }

    func path(_ name: String, of group: GroupID? = PrefetchFixture.group, isFallback: Bool = false) throws -> String {
        let container: Container = isFallback || group == nil ? .fallback(group) : .provisioned(try #require(group))
        return "\(cacheOptions.path(of: container))/pw_stories_cache/\(name)"
    }

    /// The manifest as it is on disk; nil where there is none. Whatever it calls cached must be there.
    func manifest(_ id: String, of group: GroupID? = PrefetchFixture.group, isFallback: Bool = false) throws
        -> Manifest?
    {
        let path = try path("stories/\(id)/manifest.json", of: group, isFallback: isFallback)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let manifest = try Manifest(bytes: Array(data))
        for image in manifest.pages.compactMap(\.state.image) {
            let file = try self.path(image.file, of: group, isFallback: isFallback)
            let bytes = Array(try #require(FileManager.default.contents(atPath: file), "\(file) is announced"))
            #expect(ContentID.of(bytes) == image.contentID && bytes.count == image.bytes)
        }
        return manifest
    }

    /// Waits until the manifest on disk is as wanted.
    func waitFor(
        _ id: String, of group: GroupID? = PrefetchFixture.group, isFallback: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation, until isWanted: @Sendable (Manifest) -> Bool
    ) async throws -> Manifest {
        let isThere = try await eventually {
            try manifest(id, of: group, isFallback: isFallback).map(isWanted) ?? false
        }
        let last = try #require(
            try manifest(id, of: group, isFallback: isFallback), "no manifest of \(id)", sourceLocation: sourceLocation)
        #expect(
            isThere, "revision \(last.revision): \(last.state), pages \(last.pages.map(\.state))",
            sourceLocation: sourceLocation)
        return last
    }

    /// What `latest.json` says; nil where there is none.
    func latest(of group: GroupID? = PrefetchFixture.group, isFallback: Bool = false) throws -> LatestPointer? {
        let path = try path("latest.json", of: group, isFallback: isFallback)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try LatestPointer(json: #require(JSONParser.parse(Array(data)).objectValue))
    }

    /// Waits until `latest.json` names that story as of that revision.
    func latestNames(_ id: String, revision: Int? = nil, of group: GroupID? = PrefetchFixture.group) async throws
        -> Bool
    {
        try await eventually {
            guard let latest = try latest(of: group), latest.id.description == id else { return false }
            return revision.map { $0 == latest.revision } ?? true
        }
    }

    /// When the story, which is parked, is settled whatever comes.
    func deadline(ofParked id: String) async -> SuspendingClock.Instant? {
        guard let id = StoryID(id) else { return nil }
        return await prefetcher.parked[StoryKey(group: Self.group, id: id)]?.deadline
    }

    /// Whether nothing is held in memory any more but the records, in a moment.
    func isAtRest() async -> Bool {
        await eventually { await prefetcher.isIdle }
    }

    /// Files in `.partial/` of the group's container.
    func partials() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(".partial"))
    }
}

extension Prefetcher {
    var isIdle: Bool {
        overdueLatest.next == nil && live.isEmpty && parked.count == 0 && unparking == nil && turns.isEmpty
            && writers.isEmpty
            && running.isEmpty
            && queue.active == 0 && queue.queued == 0
    }
}
