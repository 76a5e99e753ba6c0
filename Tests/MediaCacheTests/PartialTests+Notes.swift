import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import MediaCache

// What lies beside a partial.

extension PartialTests {
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
}
