import Glibc
import Hashing
import ImageInspection
import MediaCache
import Platform
import Stories
import TestSupport
import Testing

/// A cache in a temporary directory of its own, opened, with what tests do to it again and again.
struct CacheFixture {
    let temporary: TemporaryDirectory
    let options: CacheOptions
    let storage: CacheStorage
    /// The files that were told to be corrupt, in the order of the telling.
    let toldCorrupt = Locked<[String]>([])
    /// The group that is provisioned.
    let group: GroupID
    let now = Timestamp(milliseconds: 1_800_000_000_000)

    init(
        durability: CacheOptions.Durability = .strict, state: String? = nil, fallback: String? = nil,
        minFree: (bytes: Int64, inodes: Int64) = (0, 0), trialInterval: Duration = .zero
    ) async throws {
        temporary = try TemporaryDirectory()
        group = try #require(GroupID("group.com.example.app"))
        _ = try Directory.make(temporary.path("groups/\(group)"), mode: 0o2750)
        options = CacheOptions(
            stateDirectory: state ?? temporary.path("state"), appGroupsRoot: temporary.path("groups"),
            fallbackDirectory: fallback ?? temporary.path("tmp"), minFreeBytes: minFree.bytes,
            minFreeInodes: minFree.inodes,
            durability: durability, trialInterval: trialInterval)
        storage = try Self.storage(options) { [toldCorrupt] event in
            if case .corrupt(let file, _) = event { toldCorrupt.withLock { $0.append(file) } }
        }
        try await storage.open()
        _ = await storage.storiesOnDisk()
        await storage.finishRecovery()
    }

    /// The one thread that all tests' storages share: threads live as long as the process.
    private static let executor = try? ThreadExecutor(name: "storage")

    static func storage(
        _ options: CacheOptions, tell: @escaping @Sendable (CacheEvent) -> Void = { _ in }
    ) throws -> CacheStorage {
        CacheStorage(
            options: options, executor: try #require(executor), log: Log(program: "test", level: .error), tell: tell)
    }

    var provisioned: Container { .provisioned(group) }

    /// Downloads `bytes` and publishes them.
    func store(
        _ bytes: [UInt8], key: String, in container: Container? = nil, also others: [Container] = [],
        freshness: Freshness? = nil
    ) async throws -> [Container: Result<StoredObject, CacheFailure>] {
        let container = container ?? provisioned
        let partial = try await storage.makePartial(in: container)
        try partial.descriptor.write(bytes)
        let results = await storage.publish(
            partial, as: try description(of: bytes), key: key, freshness: freshness ?? .assumed(at: now),
            into: [container] + others)
        return results.mapValues { $0.map(\.object) }
    }

    /// As `store`, for bytes that must land.
    func stored(_ bytes: [UInt8], key: String, in container: Container? = nil) async throws -> StoredObject {
        let container = container ?? provisioned
        return try #require(try await store(bytes, key: key, in: container)[container]).get()
    }

    /// As somebody who comes later than whatever was stored `now`.
    func fresh(
        _ key: String, in container: Container? = nil, wantedSince: Timestamp? = nil, now: Timestamp? = nil
    ) async throws -> StoredObject? {
        let now = now ?? self.now
        return try await storage.fresh(
            key, in: container ?? provisioned, wantedSince: wantedSince ?? now.advanced(bySeconds: 1), now: now)?.object
    }

    /// Files in any `.partial/`.
    func leftovers() async throws -> [String] {
        Disk.files(below: temporary.path).keys.filter { $0.contains("/.partial/") }.sorted()
    }

    func description(of bytes: [UInt8]) throws -> StoredObject {
        let size = try #require(PixelSize(width: 2, height: 3))
        return StoredObject(
            content: .of(bytes), header: ImageHeader(type: .png, size: size, frames: 1), bytes: Int64(bytes.count))
    }

    /// A file below a container's `pw_stories_cache/`.
    func path(_ file: String, in container: Container? = nil) -> String {
        "\(options.path(of: container ?? provisioned))/pw_stories_cache/\(file)"
    }
}
