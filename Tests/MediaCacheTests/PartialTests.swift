import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// What is kept of downloads that broke off: gone on with from exactly the bytes that its notes tell of, or from none.
@Suite struct PartialTests {
    let cache: CacheFixture
    let bytes = PartialTests.someBytes
    /// More than two pieces that are waited for.
    private static let someBytes = [[UInt8]](
        repeating: (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, count: 14
    ).flatMap(\.self)

    init() async throws {
        cache = try await CacheFixture()
    }

    func notes(_ count: Int, key: String = "a") -> PartialNotes {
        notes(Array(bytes[..<count]), "\"v1\"", key: key)
    }

    func notes(_ bytes: [UInt8], _ validator: String, from source: String = "a", key: String = "a")
        -> PartialNotes
    {
        PartialNotes(
            key: key, validator: validator, source: .of(utf8: source), total: 10_000_000, bytes: Int64(bytes.count),
            content: .of(bytes))
    }

    /// A download of which `count` bytes have come, and perhaps more.
    func partial(_ count: Int, in container: Container? = nil) async throws -> Partial {
        let partial = try await cache.storage.makePartial(in: container ?? cache.provisioned)
        try partial.descriptor.write(Array(bytes[..<count]))
        return partial
    }

    @discardableResult
    func keep(_ count: Int, key: String = "a", written: Int? = nil) async throws -> Partial {
        let partial = try await partial(written ?? count)
        #expect(await cache.storage.keep(partial, notes(count, key: key)).isKept)
        return partial
    }

    /// The next process: it knows of no story.
    func restarted() async throws -> CacheStorage {
        await cache.storage.close()
        let storage = try CacheFixture.storage(cache.options)
        try await storage.open()
        _ = await storage.storiesOnDisk()
        await storage.finishRecovery()
        return storage
    }

    struct Resumed {
        let partial: Partial
        let notes: PartialNotes
        /// What was shown of it.
        let shown: [UInt8]
    }

    func resume(_ key: String = "a", of storage: CacheStorage? = nil) async -> Resumed? {
        let storage = storage ?? cache.storage
        guard let resumed = await storage.resume(key, showing: [UInt8](), take: { $0 += Array($1) }) else { return nil }
        #expect(resumed.seen().digest() == .of(resumed.reader))
        return Resumed(partial: resumed.partial, notes: resumed.notes, shown: resumed.reader)
    }

    func path(_ partial: Partial) -> String { cache.path(".partial/\(partial.name)") }

    // MARK: Going on

    @Test func `what is kept is gone on with, from its end, and published as one picture`() async throws {
        try await keep(400_000)
        let resumed = try #require(await resume())
        #expect(resumed.notes == notes(400_000))
        #expect(resumed.shown == Array(bytes[..<400_000]))
        try resumed.partial.descriptor.write(Array(bytes[400_000...]))
        let object = try cache.description(of: bytes)
        let results = await cache.storage.publish(
            resumed.partial, as: object, key: "a", freshness: .assumed(at: cache.now), into: [cache.provisioned])
        #expect(try results[cache.provisioned]?.get().object == object)
        #expect(try Disk.read(cache.path(object.file)) == bytes)
        #expect(try await cache.leftovers() == [])
        #expect(await resume() == nil)
    }

    @Test func `the next process goes on with what the last one kept`() async throws {
        try await keep(400_000)
        let storage = try await restarted()
        #expect(await storage.keptKeys == ["a"])
        #expect(try #require(await resume(of: storage)).shown.count == 400_000)
        #expect(await resume(of: storage) == nil, "it is gone on with by one")
    }

    @Test func `the next process goes on from the last checkpoint of a download that was under way`() async throws {
        let partial = try await partial(500_000)
        await cache.storage.checkpoint(partial, notes(200_000))
        await cache.storage.checkpoint(partial, notes(400_000))
        #expect(try await cache.leftovers().count == 2)
        let storage = try await restarted()
        let resumed = try #require(await resume(of: storage))
        #expect(resumed.shown == Array(bytes[..<400_000]))
        #expect(try resumed.partial.descriptor.status().size == 400_000)
    }

    @Test func `another container's copy is made of what went on in the first`() async throws {
        try await keep(400_000)
        let resumed = try #require(await resume())
        try resumed.partial.descriptor.write(Array(bytes[400_000...]))
        let other = Container.fallback(nil)
        let results = await cache.storage.publish(
            resumed.partial, as: try cache.description(of: bytes), key: "a", freshness: .assumed(at: cache.now),
            into: [other])
        let object = try #require(results[other]).get().object
        #expect(try Disk.read(cache.path(object.file, in: other)) == bytes)
        #expect(try await cache.leftovers() == [])
    }

    // MARK: Damage

    /// What may have become of the file of a partial of 500,000 bytes, of which 400,000 are noted.
    enum Harm: CaseIterable, Sendable {
        case none, cutToNoted, shorter, emptied, flippedFirst, flippedLast, flippedBeyond, zeroed, removed, link,
            directory
        case hardLink, fifo

        var spares: Bool { [.none, .cutToNoted, .flippedBeyond].contains(self) }

        func apply(to path: String) throws {
            switch self {
            case .none: break
            case .cutToNoted: truncate(path, 400_000)
            case .shorter: truncate(path, 399_999)
            case .emptied: truncate(path, 0)
            case .flippedFirst: try flip(path, 0)
            case .flippedLast: try flip(path, 399_999)
            case .flippedBeyond: try flip(path, 400_000)
            case .zeroed: try Disk.write([UInt8](repeating: 0, count: 500_000), to: path)
            case .removed: try Disk.remove(path)
            case .link:
                let bytes = try Disk.read(path)
                try Disk.remove(path)
                try Disk.write(bytes, to: path + "-other")
                try Disk.link(path, to: path + "-other")
            case .directory:
                try Disk.remove(path)
                _ = try Directory.make(path, mode: 0o750)
            case .hardLink: try checked("link") { Glibc.link(path, path + "-other") }
            case .fifo:
                try Disk.remove(path)
                try checked("mkfifo") { mkfifo(path, 0o600) }
            }
        }

        private func flip(_ path: String, _ offset: Int) throws {
            var bytes = try Disk.read(path)
            bytes[offset] ^= 1
            try Disk.write(bytes, to: path)
        }
    }

    @Test(arguments: Harm.allCases, [false, true])
    func `only the bytes that were noted are gone on with`(_ harm: Harm, isRestarted: Bool) async throws {
        let partial = try await keep(400_000, written: 500_000)
        try harm.apply(to: path(partial))
        let storage = isRestarted ? try await restarted() : cache.storage
        let resumed = await resume(of: storage)
        #expect((resumed != nil) == harm.spares)
        if let resumed {
            #expect(resumed.shown == Array(bytes[..<400_000]))
            #expect(try resumed.partial.descriptor.status().size == 400_000)
        }
        #expect(await storage.keptKeys == [])
        let notes = try await cache.leftovers().filter { $0.hasSuffix(".notes") }
        #expect(notes.isEmpty == !harm.spares)
    }
}
