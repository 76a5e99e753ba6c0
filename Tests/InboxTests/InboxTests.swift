import Foundation
import Glibc
import JSON
import Platform
import Stories
import TestSupport
import Testing

@testable import Inbox

/// The inbox with real files and the kernel's own events.
@Suite(.timeLimit(.minutes(1)))
struct InboxTests {
    @Test("a file renamed into the inbox becomes a claim, and is gone once accepted")
    func renamed() async throws {
        let place = try InboxPlace()
        try await place.start()
        try place.drop("a.json", #"{"a":1}"#)
        let claim = try await place.next()
        #expect(claim.payloadName == "a.json")
        #expect(claim.group == nil)
        #expect(claim.bytes == Array(#"{"a":1}"#.utf8))
        #expect(try place.names(".claimed") == [claim.name])
        #expect(try place.payloads() == [])
        place.inbox.accept(claim)
        await place.inbox.stop()
        #expect(try place.names(".claimed") == [])
        #expect(place.inbox.statistics == InboxStatistics(pending: 0, accepted: 1))
    }

    @Test("files that were there before the start are claimed once each, the oldest first")
    func before() async throws {
        let count = 5000
        let place = try InboxPlace {
            $0.maximumClaims = 16
        } prepare: { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for number in 0..<count {
                // Names in another order than times.
                let file = "\(path)/\(number * 7919 % count).json"
                try Data("\(number)".utf8).write(to: URL(filePath: file))
                var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000 + number, tv_nsec: 0), count: 2)
                guard utimensat(AT_FDCWD, file, &times, 0) == 0 else { throw SystemError("utimensat") }
            }
        }
        try await place.start()
        for number in 0..<count {
            let claim = try await place.next()
            #expect(claim.bytes == Array("\(number)".utf8))
            place.inbox.accept(claim)
        }
        await place.inbox.stop()
        #expect(place.inbox.statistics.accepted == count)
        #expect(place.inbox.statistics.pending == 0)
        #expect(try place.names(".claimed") == [])
        #expect(try place.payloads() == [])
    }

    @Test("events that the kernel lost are made good: each file once")
    func overflow() async throws {
        let queue = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let limit = try #require(Int(queue.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Two events a file: made, and closed.
        let count = limit / 2 + 100
        // The inbox's thread is held where it asks about this file.
        let (isHeld, goOn) = (try EventDescriptor(), try EventDescriptor())
        let place = try InboxPlace(prepare: { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data("hold".utf8).write(to: URL(filePath: "\(path)/hold.json"))
        }) { bytes in
            guard bytes == Array("hold".utf8) else { return true }
            isHeld.signal()
            goOn.wait()
            return true
        }
        try await place.start()
        isHeld.wait()
        for number in 0..<count {
            let file = creat("\(place.path)/\(number).json", 0o600)
            #expect(write(file, "1", 1) == 1)
            close(file)
        }
        goOn.signal()
        var names: Set<String> = []
        for _ in 0...count {
            let claim = try await place.next()
            names.insert(claim.payloadName)
            place.inbox.accept(claim)
        }
        await place.inbox.stop()
        #expect(names.count == count + 1)
        #expect(place.inbox.statistics.rescans >= 1)
        #expect(place.inbox.statistics.pending == 0)
        #expect(try place.payloads() == [])
    }

    @Test("no more claims are out than may be, and all count as pending")
    func bounded() async throws {
        let place = try InboxPlace {
            $0.maximumClaims = 2
        } prepare: { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for number in 0..<5 { try Data("1".utf8).write(to: URL(filePath: "\(path)/\(number).json")) }
        }
        try await place.start()
        let first = try await place.next()
        let second = try await place.next()
        #expect(try place.names(".claimed") == [first.name, second.name])
        #expect(try place.payloads().count == 3)
        place.inbox.accept(first)
        _ = try await place.next()
        await place.inbox.stop()
        #expect(place.inbox.statistics == InboxStatistics(pending: 4, accepted: 1))
    }

    @Test("claims left by an earlier run come before new files, with their group and name")
    func restart() async throws {
        let earlier = try InboxPlace { $0.appGroup = GroupID("group.a") }
        try await earlier.start()
        try earlier.drop("a.json", "1")
        let left = try await earlier.next()
        await earlier.inbox.stop()
        try earlier.drop("b.json", "2")
        try Data("?".utf8).write(to: URL(filePath: "\(earlier.path)/.claimed/stranger"))

        let place = try InboxPlace(earlier.directory)
        try await place.start()
        let again = try await place.next()
        #expect(again.name == left.name)
        #expect(again.payloadName == "a.json")
        #expect(again.group == GroupID("group.a"))
        #expect(again.bytes == left.bytes)
        #expect(again.claimedAt == left.claimedAt)
        #expect(try await place.next().payloadName == "b.json")
        place.inbox.accept(again)
        await place.inbox.stop()
        #expect(try place.names(".claimed").count == 2, "the stranger and b.json")
    }

    @Test("a new file under the name of a claimed one is another payload")
    func sameName() async throws {
        let place = try InboxPlace()
        try await place.start()
        try place.drop("a.json", "1")
        let first = try await place.next()
        try place.drop("a.json", "2")
        let second = try await place.next()
        #expect(first.name != second.name)
        #expect(second.payloadName == "a.json")
        #expect(second.bytes == Array("2".utf8))
        place.inbox.accept(first)
        await place.inbox.stop()
        #expect(try place.names(".claimed") == [second.name])
    }

    @Test("a file written in pieces under its final name is read when it is closed")
    func pieces() async throws {
        let place = try InboxPlace()
        try await place.start()
        let directory = try Directory.open(place.path)
        var writer: Descriptor? = try directory.openFile("slow.json", flags: O_WRONLY | O_CREAT, mode: 0o644)
        for (number, piece) in [#"{"a":"#, "[1,2", "]}"].enumerated() {
            try writer?.write(Array(piece.utf8))
            guard number < 2 else { continue }
            // Another file comes after, and is not held up; by then the inbox has seen the piece.
            try place.drop("\(number).json", "1")
            #expect(try await place.next().payloadName == "\(number).json")
            #expect(try place.payloads() == ["slow.json"])
        }
        writer = nil
        let claim = try await place.next()
        #expect(claim.payloadName == "slow.json")
        #expect(claim.bytes == Array(#"{"a":[1,2]}"#.utf8))
    }

    @Test("a broken file found by a scan is given up when its content is old; a whole one is taken at once")
    func broken() async throws {
        let place = try InboxPlace { _ in
        } prepare: { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, text, age) in [("old.json", "{", 6), ("whole.json", "{}", 0), ("young.json", "{", 0)] {
                let file = "\(path)/\(name)"
                try Data(text.utf8).write(to: URL(filePath: file))
                var times = [timespec](repeating: timespec(tv_sec: time(nil) - age, tv_nsec: 0), count: 2)
                guard utimensat(AT_FDCWD, file, &times, 0) == 0 else { throw SystemError("utimensat") }
            }
        }
        try await place.start()
        #expect(try await place.next().payloadName == "old.json")
        #expect(try await place.next().payloadName == "whole.json")
        // Its writer is done with it after all. (On a machine so slow that it is old by now, it is gone already.)
        _ = try? Directory.open(place.path).openFile("young.json", flags: O_WRONLY)
        #expect(try await place.next().payloadName == "young.json")
    }

    @Test("a hard link is a payload")
    func hardLink() async throws {
        let place = try InboxPlace()
        try await place.start()
        try Data("1".utf8).write(to: URL(filePath: place.directory.path("source")))
        #expect(link(place.directory.path("source"), "\(place.path)/a.json") == 0)
        #expect(try await place.next().payloadName == "a.json")
    }

    @Test("temporaries, pipes, directories and links are left alone, and hold up nothing")
    func ignored() async throws {
        let place = try InboxPlace()
        try await place.start()
        let strange = ["a.json.tmp", "a.json.part", "a.json~", ".a.json", "a.txt"]
        for name in strange { try place.drop(name, "1") }
        #expect(mkfifo("\(place.path)/pipe.json", 0o600) == 0)
        #expect(mkdir("\(place.path)/directory.json", 0o700) == 0)
        #expect(symlink("/etc/hostname", "\(place.path)/link.json") == 0)
        #expect(symlink("/etc", "\(place.path)/etc") == 0)
        try place.drop("z.json", "1")
        #expect(try await place.next().payloadName == "z.json")
        place.inbox.rescan()
        try place.drop("zz.json", "1")
        #expect(try await place.next().payloadName == "zz.json")
        #expect(Set(try place.names("")).isSuperset(of: strange + ["pipe.json", "directory.json", "link.json", "etc"]))
        await place.inbox.stop()
        #expect(place.inbox.problems == [])
    }

    @Test("a file that may not be read stays, is told with owner, mode and remedy, and is taken when it may")
    func unreadable() async throws {
        // Root may read everything: then there is nothing to see.
        guard geteuid() != 0 else { return }
        let place = try InboxPlace()
        try await place.start()
        try place.drop(".a", "1")
        #expect(chmod("\(place.path)/.a", 0) == 0)
        #expect(rename("\(place.path)/.a", "\(place.path)/a.json") == 0)
        try place.drop("b.json", "1")
        let other = try await place.next()
        #expect(other.payloadName == "b.json")
        // The thread goes through its mail in order: by the next claim it has told of the file.
        try place.drop("c.json", "1")
        _ = try await place.next()
        let problem = try #require(place.inbox.problems.first)
        #expect(problem.code == .unreadable)
        #expect(problem.message.contains("a.json: owner \(geteuid()), mode 00: "))
        #expect(problem.message.contains("default ACL"))
        #expect(chmod("\(place.path)/a.json", 0o600) == 0)
        #expect(try await place.next().payloadName == "a.json")
        await place.inbox.stop()
        #expect(place.inbox.problems == [])
    }

    @Test("a payload in a group's folder belongs to the group, also where both are new")
    func groups() async throws {
        let place = try InboxPlace {
            $0.appGroup = GroupID("group.default")
        } prepare: { path in
            try FileManager.default.createDirectory(
                atPath: "\(path)/group.old", withIntermediateDirectories: true)
        }
        try await place.start()
        try place.drop("a.json", "1")
        #expect(try await place.next().group == GroupID("group.default"))
        try place.drop("b.json", "1", folder: "group.old")
        #expect(try await place.next().group == GroupID("group.old"))
        for number in 0..<50 {
            // The file is there before the folder can be watched, or comes just then.
            try FileManager.default.createDirectory(
                atPath: "\(place.path)/group.\(number)", withIntermediateDirectories: false)
            try place.drop("c.json", "\(number)", folder: "group.\(number)")
            let claim = try await place.next()
            #expect(claim.group == GroupID("group.\(number)"))
            #expect(claim.bytes == Array("\(number)".utf8))
            place.inbox.accept(claim)
        }
        // Moved in whole, and renamed after that.
        try FileManager.default.createDirectory(
            atPath: place.directory.path("made"), withIntermediateDirectories: false)
        try Data("1".utf8).write(to: URL(filePath: place.directory.path("made/d.json")))
        #expect(rename(place.directory.path("made"), "\(place.path)/group.made") == 0)
        #expect(try await place.next().group == GroupID("group.made"))
        #expect(rename("\(place.path)/group.made", "\(place.path)/group.renamed") == 0)
        try place.drop("e.json", "1", folder: "group.renamed")
        #expect(try await place.next().group == GroupID("group.renamed"))
    }

    @Test("a payload in a folder that is no group is rejected at once and never claimed")
    func badGroup() async throws {
        let place = try InboxPlace()
        try await place.start()
        try FileManager.default.createDirectory(
            atPath: "\(place.path)/no group", withIntermediateDirectories: false)
        try place.drop("a.json", "1", folder: "no group")
        try place.drop("b.json", "1")
        #expect(try await place.next().payloadName == "b.json")
        place.inbox.rescan()
        await place.inbox.stop()
        #expect(try place.names(".rejected/no group") == ["a.json", "a.json.reason.json"])
        #expect(try place.content(".rejected/no group/a.json.reason.json").contains(#""code": "bad_group""#))
        #expect(place.inbox.statistics.rejected == 1)
    }

    @Test("a rejected claim lies in .rejected with its reason, under its group")
    func rejected() async throws {
        let place = try InboxPlace()
        try await place.start()
        try place.drop("a.json", "[")
        let claim = try await place.next()
        place.inbox.reject(claim, code: "bad_json", message: "line 1")
        // A second answer is none.
        place.inbox.accept(claim)
        await place.inbox.stop()
        #expect(try place.names(".rejected") == ["a.json", "a.json.reason.json"])
        #expect(try place.content(".rejected/a.json") == "[")
        #expect(try place.names(".claimed") == [])
        #expect(place.inbox.statistics == InboxStatistics(rejected: 1))
    }

    @Test("a payload that is too large is rejected unread, and so is one that an earlier run claimed")
    func tooLarge() async throws {
        let earlier = try InboxPlace()
        try await earlier.start()
        try earlier.drop("a.json", "12345678901")
        _ = try await earlier.next()
        await earlier.inbox.stop()
        let place = try InboxPlace(earlier.directory) { $0.payloadBytes = 10 }
        try await place.start()
        try place.drop("b.json", "12345678901")
        try place.drop("c.json", "1234567890")
        #expect(try await place.next().payloadName == "c.json")
        #expect(
            try place.names(".rejected") == ["a.json", "a.json.reason.json", "b.json", "b.json.reason.json"])
        #expect(try place.content(".rejected/b.json.reason.json").contains("too_large"))
    }

    @Test("a claim that was put back is offered again by a rescan, and others go on")
    func putBack() async throws {
        let place = try InboxPlace { $0.maximumClaims = 1 }
        try await place.start()
        try place.drop("a.json", "1")
        let first = try await place.next()
        place.inbox.putBack(first)
        try place.drop("b.json", "2")
        let second = try await place.next()
        #expect(second.payloadName == "b.json")
        place.inbox.rescan()
        place.inbox.accept(second)
        let again = try await place.next()
        #expect(again.name == first.name)
        await place.inbox.stop()
        #expect(place.inbox.statistics == InboxStatistics(pending: 1, accepted: 1, rescans: 1))
    }

    @Test("accepted payloads are kept where that is wished, none over another")
    func processed() async throws {
        let place = try InboxPlace { $0.keepProcessed = true }
        try await place.start()
        for number in 1...20 {
            try place.drop("a.json", "\(number)")
            place.inbox.accept(try await place.next())
        }
        await place.inbox.stop()
        #expect(try place.names(".processed").count == 20)
        #expect(try place.content(".processed/a-3.json") == "3")
        #expect(try place.names(".claimed") == [])
    }

    @Test("other options are taken while running")
    func reload() async throws {
        let place = try InboxPlace()
        try await place.start()
        place.inbox.reload(
            InboxOptions(path: "/elsewhere", appGroup: GroupID("group.new"), payloadBytes: 3, keepProcessed: true))
        try place.drop("a.json", "1234")
        try place.drop("b.json", "123")
        let claim = try await place.next()
        #expect(claim.payloadName == "b.json")
        #expect(claim.group == GroupID("group.new"))
        place.inbox.accept(claim)
        await place.inbox.stop()
        #expect(try place.names(".processed") == ["b.json"])
    }

    @Test("an inbox removed and made again is watched again")
    func removed() async throws {
        let place = try InboxPlace()
        try await place.start()
        for round in 0..<20 {
            try FileManager.default.removeItem(atPath: place.path)
            try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
            try Data("\(round)".utf8).write(to: URL(filePath: "\(place.path)/a.json"))
            // Not answered: the inbox is to have its hands off when it is removed.
            #expect(try await place.next().bytes == Array("\(round)".utf8))
        }
        await place.inbox.stop()
        #expect(place.inbox.problems == [])
    }

    @Test("an inbox moved away is let go, and made again at a rescan")
    func moved() async throws {
        let place = try InboxPlace()
        try await place.start()
        try place.drop("a.json", "1")
        _ = try await place.next()
        #expect(rename(place.path, place.directory.path("away")) == 0)
        try Data("1".utf8).write(to: URL(filePath: place.directory.path("away/b.json")))
        place.inbox.rescan()
        await place.inbox.stop()
        #expect(try place.names("") == [".claimed", ".rejected", ".temporary"])
        #expect(access(place.directory.path("away/b.json"), F_OK) == 0)
    }

    @Test("the daemon's own folders are made again when they are missed")
    func ownFolders() async throws {
        let place = try InboxPlace()
        try await place.start()
        for folder in [".claimed", ".rejected", ".temporary"] {
            try FileManager.default.removeItem(atPath: "\(place.path)/\(folder)")
        }
        try place.drop("a.json", "1")
        let claim = try await place.next()
        place.inbox.reject(claim, code: "c", message: "m")
        await place.inbox.stop()
        #expect(try place.names(".rejected") == ["a.json", "a.json.reason.json"])
    }

    @Test("a link in place of one of the daemon's folders is refused")
    func planted() async throws {
        let place = try InboxPlace { _ in
        } prepare: { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard symlink("/tmp", "\(path)/.claimed") == 0 else { throw SystemError("symlink") }
        }
        let failure = await #expect(throws: SystemError.self) { try await place.start() }
        #expect(failure?.operation == "open")
        // There will be none.
        await #expect(throws: InboxPlace.Ended.self) { try await place.next() }
    }

    @Test("many writers at once: each payload exactly once")
    func race() async throws {
        let place = try InboxPlace { $0.maximumClaims = 8 }
        try await place.start()
        try FileManager.default.createDirectory(atPath: "\(place.path)/group.a", withIntermediateDirectories: false)
        let (writers, each) = (4, 500)
        var threads: [Platform.Thread] = []
        for writer in 0..<writers {
            let path = writer % 2 == 0 ? place.path : "\(place.path)/group.a"
            threads.append(
                try Platform.Thread(name: "writer") {
                    for number in 0..<each {
                        let name = "\(path)/\(writer)-\(number).json"
                        // Half renamed into place, half written there.
                        let temporary = number % 2 == 0 ? name + ".tmp" : name
                        try? Data("[\(writer),\(number)]".utf8).write(to: URL(filePath: temporary))
                        if number % 2 == 0 { rename(temporary, name) }
                    }
                })
        }
        var seen: [[UInt8]: Int] = [:]
        for count in 0..<(writers * each) {
            let claim = try await place.next()
            seen[claim.bytes, default: 0] += 1
            place.inbox.accept(claim)
            if count % 100 == 0 { place.inbox.rescan() }
        }
        for thread in threads { thread.join() }
        await place.inbox.stop()
        #expect(seen.count == writers * each)
        #expect(seen.values.allSatisfy { $0 == 1 })
        #expect(place.inbox.statistics.pending == 0)
        #expect(try place.names(".claimed") == [])
        #expect(try place.payloads() == ["group.a"])
    }

    @Test("an inbox that is let go ends its thread and its stream")
    func letGo() async throws {
        let directory = try TemporaryDirectory()
        var place: InboxPlace? = try InboxPlace(directory)
        try await place?.start()
        let claims = place?.inbox.claims
        place = nil
        if let claims { for await _ in claims {} }
    }
}
