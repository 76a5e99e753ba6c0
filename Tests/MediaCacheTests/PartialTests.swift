import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

/// What is kept of downloads that broke off: gone on with from exactly the bytes that its notes tell of, or from none.
@Suite struct PartialTests {
    private let cache: CacheFixture
    private let bytes = PartialTests.someBytes
    /// More than two pieces that are waited for.
    private static let someBytes = [[UInt8]](
        repeating: (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, count: 14
    ).flatMap(\.self)

    init() async throws {
        cache = try await CacheFixture()
    }

    private func notes(_ count: Int, key: String = "a") -> PartialNotes {
        notes(Array(bytes[..<count]), "\"v1\"", key: key)
    }

    private func notes(_ bytes: [UInt8], _ validator: String, from source: String = "a", key: String = "a")
        -> PartialNotes
    {
        PartialNotes(
            key: key, validator: validator, source: .of(utf8: source), total: 10_000_000, bytes: Int64(bytes.count),
            content: .of(bytes))
    }

    /// A download of which `count` bytes have come, and perhaps more.
    private func partial(_ count: Int, in container: Container? = nil) async throws -> Partial {
        let partial = try await cache.storage.makePartial(in: container ?? cache.provisioned)
        try partial.descriptor.write(Array(bytes[..<count]))
        return partial
    }

    @discardableResult
    private func keep(_ count: Int, key: String = "a", written: Int? = nil) async throws -> Partial {
        let partial = try await partial(written ?? count)
        #expect(await cache.storage.keep(partial, notes(count, key: key)).isKept)
        return partial
    }

    /// The next process: it knows of no story.
    private func restarted() async throws -> CacheStorage {
        await cache.storage.close()
        let storage = try CacheFixture.storage(cache.options)
        try await storage.open()
        _ = await storage.storiesOnDisk()
        await storage.finishRecovery()
        return storage
    }

    private struct Resumed {
        let partial: Partial
        let notes: PartialNotes
        /// What was shown of it.
        let shown: [UInt8]
    }

    private func resume(_ key: String = "a", of storage: CacheStorage? = nil) async -> Resumed? {
        let storage = storage ?? cache.storage
        guard let resumed = await storage.resume(key, showing: [UInt8](), take: { $0 += Array($1) }) else { return nil }
        #expect(resumed.seen().digest() == .of(resumed.reader))
        return Resumed(partial: resumed.partial, notes: resumed.notes, shown: resumed.reader)
    }

    private func path(_ partial: Partial) -> String { cache.path(".partial/\(partial.name)") }

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

    /// What may stand in a file of notes that is of no use.
    private static let garbage: [(name: String, bytes: [UInt8])] = {
        let good =
            #"{"version": 2, "key": "a", "validator": "v", "source_xxh3_128": "06b05ab6733a618578af5f94892f3950", "#
            + #""total": null, "bytes": 3, "#
            + #""xxh3_128": "06b05ab6733a618578af5f94892f3950", "synced": null}"#
        let larger = #"{"bytes": 9, "xxh3_128": "06b05ab6733a618578af5f94892f3950"}}"#
        let wrong: [(String, String)] = [
            ("another version", good.replacing("2,", with: "1,")), ("no key", good.replacing("key", with: "kex")),
            ("no source", good.replacing("source", with: "sauce")),
            ("a source that is none", good.replacing("6733a618578af5f94892f3950\", \"total", with: "\", \"total")),
            ("no validator", good.replacing("\"v\"", with: "null")),
            ("no bytes", good.replacing("\"bytes\": 3", with: "\"bytes\": 0")),
            ("fewer than none", good.replacing("3,", with: "-3,")),
            ("more than any", good.replacing("3,", with: "1e400,")),
            ("a part larger than the whole", good.replacing("null,", with: "2,")),
            ("a total that is none", good.replacing("null,", with: "\"3\",")),
            ("more on disk than written", good.replacing("null}", with: larger)),
            ("nothing on disk", good.replacing("null}", with: larger.replacing("9", with: "0"))),
            ("no word of the disk", good.replacing("synced", with: "synched")),
            ("no total", good.replacing("total", with: "totals")),
            ("no hash", good.replacing("3, \"xxh3_128\": \"06b0", with: "3, \"xxh3_128\": \"06B0")),
            ("no object", "[\(good)]"), ("cut", String(good.dropLast(1))), ("two", good + good), ("nothing", ""),
            ("deep", String(repeating: "[", count: 100_000)),
        ]
        return wrong.map { ($0, Array($1.utf8)) } + [
            ("zeros", [UInt8](repeating: 0, count: 200)), ("no text", (0..<200).map { UInt8($0) | 0x80 }),
            ("too large", Array(good.utf8) + [UInt8](repeating: 32, count: 2 << 20)),
        ]
    }()

    @Test func `notes are written as they are read`() throws {
        for total in [nil, Int64(5)] {
            let notes = PartialNotes(
                key: "https://a.example/ü?\"\\", validator: "\"\u{1}\\é\"", source: .of([3]), total: total, bytes: 5,
                content: .of([1]))
            #expect(PartialNotes(file: notes.file) == notes)
            let less = PartialNotes(
                key: notes.key, validator: notes.validator, source: notes.source, total: nil, bytes: 4,
                content: .of([2]))
            let more = notes.after(less)
            #expect(more != notes && more.fallback?.bytes == 4 && PartialNotes(file: more.file) == more)
        }
    }

    @Test func `notes of any other form are none, and their partial goes at the start`() async throws {
        // White space is no harm but for its amount.
        for (name, bytes) in Self.garbage where name != "too large" {
            #expect(PartialNotes(file: bytes) == nil, "\(name)")
        }
        for (number, garbage) in Self.garbage.enumerated() {
            try Disk.make(cache.path(".partial/\(number)"), [1, 2, 3])
            try Disk.make(cache.path(".partial/\(number).notes"), garbage.bytes)
        }
        for number in 100..<600 { try Disk.make(cache.path(".partial/\(number)"), [1]) }
        try Disk.make(cache.path(".partial/alone.notes"), notes(400_000).file)
        try Disk.make(cache.path(".partial/linked"), [1, 2, 3])
        try Disk.link(cache.path(".partial/linked.notes"), to: cache.path(".partial/0.notes"))
        let storage = try await restarted()
        #expect(await storage.keptKeys == [])
        #expect(try await cache.leftovers() == [])
    }

    @Test func `garbage over the notes of what this process kept changes nothing for it`() async throws {
        let partial = try await keep(400_000)
        try Disk.write([1, 2, 3], to: path(partial) + ".notes")
        #expect(await resume() != nil)
    }

    // MARK: Order

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

    // MARK: The end of what is kept

    @Test func `what nobody wants goes, and so does what is kept when the download succeeds otherwise`() async throws {
        try await keep(100, key: "a")
        try await keep(100, key: "b")
        await cache.storage.dropKept(["a", "none"])
        #expect(await cache.storage.keptKeys == ["b"])
        #expect(try await cache.leftovers().count == 2)
        try await keep(200, key: "b")
        #expect(try await cache.leftovers().count == 2, "the later one has taken its place")
        #expect(try #require(await resume("b")).shown.count == 200)
    }

    @Test func `what was begun is discarded with its notes`() async throws {
        try await keep(400_000)
        let resumed = try #require(await resume())
        await cache.storage.checkpoint(resumed.partial, notes(400_000))
        await cache.storage.discard(resumed.partial)
        #expect(try await cache.leftovers() == [])
    }

    @Test func `of two for one key the larger is found`() async throws {
        for count in [100, 300, 200] {
            try Disk.make(cache.path(".partial/\(count)"), Array(bytes[..<count]))
            try Disk.make(cache.path(".partial/\(count).notes"), notes(count).file)
        }
        let storage = try await restarted()
        #expect(try await cache.leftovers().count == 2)
        #expect(try #require(await resume(of: storage)).shown.count == 300)
    }

    @Test func `an eighth of the cache's bytes is kept beside it, the latest of them`() async throws {
        var options = cache.options
        options.maxBytes = 8 * 1000
        await cache.storage.update(options)
        for key in ["a", "b", "c"] { try await keep(400, key: key) }
        #expect(await cache.storage.keptKeys == ["b", "c"])
        let large = try await partial(1001)
        #expect(await cache.storage.keep(large, notes(1001, key: "d")) == KeptChange(isKept: false, gone: []))
        #expect(await cache.storage.keptKeys == ["b", "c"])
        #expect(try await cache.leftovers().count == 4)
        #expect(await cache.storage.statistics().bytes == 0)
        #expect(await cache.storage.usedBytes == 0)
        options.maxBytes = 8 * 500
        await cache.storage.update(options)
        #expect(await cache.storage.keptKeys == ["c"], "the limit holds from the reload on")
        #expect(try await cache.leftovers().count == 2)
        options.maxBytes = 0
        await cache.storage.close()
        let storage = try CacheFixture.storage(options)
        try await storage.open()
        _ = await storage.storiesOnDisk()
        #expect(await storage.keptKeys == [])
        #expect(try await cache.leftovers() == [])
    }

    @Test func `no more than so many are kept`() async throws {
        for number in 0...KeptPartials.most {
            let partial = try await partial(1)
            let change = await cache.storage.keep(partial, notes(1, key: "\(number)"))
            #expect(change == KeptChange(isKept: true, gone: number == KeptPartials.most ? ["0"] : []))
        }
        #expect(await !cache.storage.keptKeys.contains("0"))
    }

    @Test func `what is kept goes first where a filesystem has less left than is to stay free`() async throws {
        try await keep(400_000)
        _ = try await cache.stored([1], key: "b")
        var options = cache.options
        options.minFreeBytes = .max / 2
        await cache.storage.update(options)
        await #expect(throws: CacheFailure.self) { try await cache.storage.makePartial(in: cache.provisioned) }
        #expect(try await cache.leftovers() == [])
        await cache.storage.update(cache.options)
        try await keep(400_000)
        await cache.storage.update(options)
        #expect(await resume() == nil, "there is no room to go on")
        #expect(try await cache.leftovers() == [])
    }

    @Test func `a container that is removed takes what is kept in it along`() async throws {
        try await keep(400_000)
        let live = try await partial(400_000)
        try Disk.remove(cache.path(""))
        #expect(await resume() == nil)
        #expect(await cache.storage.keep(live, notes(400_000)) == KeptChange(isKept: false, gone: []))
        _ = try await cache.stored([1], key: "b")
        #expect(try await cache.leftovers() == [])
    }
}

extension CacheStorage {
    /// Takes another for the partial that is under way by that name.
    fileprivate func replace(_ partial: Partial, with other: Partial) { livePartials[partial.name] = other }
}
