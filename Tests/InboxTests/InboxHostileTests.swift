import Foundation
import Glibc
import Platform
import Stories
import TestSupport
import Testing

@testable import Inbox

/// The inbox among names, folders and disks that are not as they should be.
@Suite(.timeLimit(.minutes(1)))
struct InboxHostileTests {
    @Test("a claim whose reason cannot be written stays a claim, and is offered again")
    func reasonFails() async throws {
        let place = try InboxPlace()
        try await place.start()
        try place.drop("a.json", "1")
        let claim = try await place.next()
        #expect(rmdir("\(place.path)/.temporary") == 0)
        place.inbox.reject(claim, code: "c", message: "m")
        let again = try await place.next()
        #expect(again.name == claim.name)
        #expect(try place.names(".rejected") == [])
        place.inbox.reject(again, code: "c", message: "m")
        await place.inbox.stop()
        #expect(try place.names(".rejected") == ["a.json", "a.json.reason.json"])
        #expect(place.inbox.statistics == InboxStatistics(rejected: 1, rescans: place.inbox.statistics.rescans))
    }

    @Test("nothing on disk is touched before the start")
    func untouched() async throws {
        let place = try InboxPlace()
        #expect(access(place.path, F_OK) != 0)
        let other = try InboxPlace(prepare: { path in
            try FileManager.default.createDirectory(atPath: "\(path)/.temporary", withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(path)/.temporary/a"))
        })
        #expect(try other.names(".temporary") == ["a"])
        try await other.start()
        #expect(try other.names(".temporary") == [])
    }

    @Test("the start throws where no inbox can be")
    func impossible() async throws {
        let place = try InboxPlace(prepare: { path in try Data().write(to: URL(filePath: path)) })
        await #expect(throws: SystemError.self) { try await place.start() }
        await #expect(throws: InboxPlace.Ended.self) { try await place.next() }
        await place.inbox.stop()
    }

    @Test("names that are no UTF-8 are told, those that are to be ignored are not")
    func noUnicode() async throws {
        let place = try InboxPlace()
        try await place.start()
        let make = { (name: [UInt8]) in
            let path = (Array("\(place.path)/".utf8) + name + [0]).map(CChar.init(bitPattern:))
            #expect(close(creat(path, 0o600)) == 0)
        }
        make([0xFF] + Array(".json.tmp".utf8))
        try place.drop("a.json", "1")
        _ = try await place.next()
        try place.drop("b.json", "1")
        _ = try await place.next()
        #expect(place.inbox.problems == [])
        make([0xFF, 0xFE] + Array(".json".utf8))
        for name in ["c.json", "d.json"] {
            try place.drop(name, "1")
            _ = try await place.next()
        }
        let problem = try #require(place.inbox.problems.first)
        #expect(problem.code == .unreadable)
        #expect(problem.message.contains(#"the name "\xff\xfe.json" cannot be taken"#))
        #expect(problem.message.contains("rename"))
        let folder = (Array("\(place.path)/".utf8) + [0xFF, 0]).map(CChar.init(bitPattern:))
        #expect(mkdir(folder, 0o700) == 0)
        place.inbox.rescan()
        for name in ["e.json", "f.json"] {
            try place.drop(name, "1")
            _ = try await place.next()
        }
        #expect(place.inbox.problems.first?.message.contains("2 names, one of them") == true)
    }

    @Test("folders with names of unfinished things are left alone until they have another")
    func ignoredFolder() async throws {
        let place = try InboxPlace()
        try await place.start()
        for folder in ["g.tmp", ".g", "g.part", "g~"] {
            #expect(mkdir("\(place.path)/\(folder)", 0o700) == 0)
            try place.drop("a.json", "1", folder: folder)
        }
        place.inbox.rescan()
        try place.drop("b.json", "1")
        #expect(try await place.next().payloadName == "b.json")
        #expect(rename("\(place.path)/g.tmp", "\(place.path)/g") == 0)
        #expect(try await place.next().group == GroupID("g"))
        await place.inbox.stop()
        #expect(try place.names("g.part") == ["a.json"])
        #expect(try place.names(".rejected") == [])
    }

    @Test("a folder that may not be read is told with owner, mode and remedy, until it may be")
    func unreadableFolder() async throws {
        // Root may read everything: then there is nothing to see.
        guard geteuid() != 0 else { return }
        let place = try InboxPlace()
        try await place.start()
        #expect(mkdir("\(place.path)/.g", 0o700) == 0)
        try place.drop("a.json", "1", folder: ".g")
        #expect(chmod("\(place.path)/.g", 0) == 0)
        #expect(rename("\(place.path)/.g", "\(place.path)/g") == 0)
        for name in ["b.json", "c.json"] {
            try place.drop(name, "1")
            #expect(try await place.next().payloadName == name)
        }
        let message = try #require(place.inbox.problems.first?.message)
        #expect(message.contains("inbox/g: owner \(geteuid()), mode 00: "))
        #expect(message.contains("let the daemon's user"))
        #expect(chmod("\(place.path)/g", 0o700) == 0)
        #expect(try await place.next().group == GroupID("g"))
        try place.drop("d.json", "1")
        _ = try await place.next()
        await place.inbox.stop()
        #expect(place.inbox.problems == [])
    }

    @Test("claims have times in the order in which they were made, and one made up has that of now")
    func times() async throws {
        let place = try InboxPlace(prepare: { path in
            try FileManager.default.createDirectory(atPath: "\(path)/.claimed", withIntermediateDirectories: true)
            try Data("1".utf8).write(to: URL(filePath: "\(path)/.claimed/999999999999999-1~~made-up.json"))
            for number in 0..<50 { try Data("1".utf8).write(to: URL(filePath: "\(path)/\(number).json")) }
        })
        let before = Timestamp.now()
        try await place.start()
        var times: [Timestamp] = []
        for _ in 0..<51 {
            let claim = try await place.next()
            times.append(claim.claimedAt)
            place.inbox.accept(claim)
        }
        #expect(times[0] >= before)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times[50] < Timestamp.now().advanced(bySeconds: 1))
    }

    @Test("names whose letters join with what is beside them are payloads like others")
    func joinedNames() async throws {
        let place = try InboxPlace()
        try await place.start()
        let cluster = "e" + String(repeating: "\u{301}", count: 120) + ".json"
        for name in ["\u{600}.json", "q\u{600}.json", "\u{301}.json", cluster] {
            try place.drop(name, "[")
            let claim = try await place.next()
            #expect(FileName(claim.payloadName).isPayload)
            place.inbox.reject(claim, code: "c", message: "m")
        }
        await place.inbox.stop()
        #expect(try place.names(".rejected").count == 8)
        #expect(try place.names(".rejected").allSatisfy { !FileName($0).isHidden })
    }
}
