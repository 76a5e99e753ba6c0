import Foundation
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import Inbox

struct RejectedFolderTests {
    private let temporary: TemporaryDirectory
    private let origin: Directory
    private let directory: Directory

    init() throws {
        temporary = try TemporaryDirectory()
        origin = try Directory.make(temporary.path("origin"), mode: 0o700)
        directory = try Directory.make(temporary.path("rejected"), mode: 0o700)
    }

    private func folder(_ limits: RejectedLedger.Limits = .init()) throws -> RejectedFolder {
        try RejectedFolder(directory, temporaries: origin, limits: limits)
    }

    private func reject(
        _ name: String, _ text: String = "[", folder: String? = nil, into rejected: inout RejectedFolder
    ) throws {
        try Data(text.utf8).write(to: URL(filePath: origin.subpath("source")))
        let file = PayloadFile(folder: folder.map { FileName($0) }, name: FileName(name))
        let outcome = try rejected.take(FileName("source"), from: origin, as: file, code: "c", message: "m")
        guard case .taken = outcome else {
            Issue.record("not taken: \(outcome)")
            return
        }
    }

    @Test("a payload lies beside its reason, and an older one is never replaced")
    func beside() throws {
        var rejected = try folder()
        try reject("a.json", "first", into: &rejected)
        try reject("a.json", "second", into: &rejected)
        try reject("a.json", "third", folder: "bad group", into: &rejected)
        #expect(
            try directory.names().sorted() == [
                "a-2.json", "a-2.json.reason.json", "a.json", "a.json.reason.json", "bad group",
            ])
        #expect(try String(contentsOfFile: directory.subpath("a.json"), encoding: .utf8) == "first")
        #expect(try String(contentsOfFile: directory.subpath("a-2.json"), encoding: .utf8) == "second")
        let text = try Data(contentsOf: URL(filePath: directory.subpath("bad group/a.json.reason.json")))
        let reason = try #require(try JSONParser.parse(Array(text)).objectValue)
        #expect(reason["code"] == "c")
        #expect(reason["message"] == "m")
        #expect(Timestamp(reason["at"]?.stringValue ?? "") != nil)
        #expect(try origin.names() == [], "no temporary is left")
    }

    @Test("an older one is not replaced after a restart either, nor a reason that stands alone")
    func restart() throws {
        var rejected = try folder()
        try reject("a.json", into: &rejected)
        try directory.remove("a.json")
        rejected = try folder()
        try reject("a.json", into: &rejected)
        #expect(
            try directory.names().sorted() == ["a-2.json", "a-2.json.reason.json", "a.json.reason.json"])
    }

    @Test("the oldest go with their reasons, and so does a folder that is empty then")
    func pruned() throws {
        var rejected = try folder(.init(files: 6))
        try reject("a.json", folder: "g", into: &rejected)
        for _ in 0..<10 { try reject("b.json", into: &rejected) }
        #expect(
            try directory.names().sorted() == [
                "b-10.json", "b-10.json.reason.json", "b-8.json", "b-8.json.reason.json", "b-9.json",
                "b-9.json.reason.json",
            ])
    }

    @Test("what an earlier run left counts, by the age of the reasons")
    func earlier() throws {
        var rejected = try folder()
        for name in ["old.json", "new.json"] { try reject(name, into: &rejected) }
        var times = [timespec](repeating: timespec(tv_sec: time(nil) - 8 * 86_400, tv_nsec: 0), count: 2)
        #expect(utimensat(AT_FDCWD, directory.subpath("old.json.reason.json"), &times, 0) == 0)
        #expect(utimensat(AT_FDCWD, directory.subpath("new.json"), &times, 0) == 0)
        _ = try folder()
        #expect(try directory.names().sorted() == ["new.json", "new.json.reason.json"])
    }

    @Test("a payload larger than all that is kept goes, and its reason stays")
    func large() throws {
        var rejected = try folder(.init(bytes: 1000))
        try reject("a.json", String(repeating: "x", count: 2000), into: &rejected)
        #expect(try directory.names() == ["a.json.reason.json"])
    }

    @Test("the longest name leaves room for that of its reason")
    func long() throws {
        var rejected = try folder()
        let name = String(repeating: "x", count: 250) + ".json"
        try reject(name, into: &rejected)
        try reject(name, into: &rejected)
        #expect(try directory.names().count == 4)
    }

    /// Makes `name` with a content that is older than all that is kept.
    private func makeOld(_ name: String) throws {
        try Data("[".utf8).write(to: URL(filePath: directory.subpath(name)))
        var times = [timespec](repeating: timespec(tv_sec: time(nil) - 8 * 86_400, tv_nsec: 0), count: 2)
        #expect(utimensat(AT_FDCWD, directory.subpath(name), &times, 0) == 0)
    }

    @Test("a crash after the payload was moved: its reason is finished, however old the content is")
    func crashedAfterMove() throws {
        try makeOld("a.json")
        try Data("{}".utf8).write(to: URL(filePath: directory.subpath(".a.json.reason.json")))
        _ = try folder()
        #expect(try directory.names().sorted() == ["a.json", "a.json.reason.json"])
        #expect(try String(contentsOfFile: directory.subpath("a.json.reason.json"), encoding: .utf8) == "{}")
    }

    @Test("a crash before the payload was moved: the reason goes, and the payload takes its name at the next try")
    func crashedBeforeMove() throws {
        try Data("{}".utf8).write(to: URL(filePath: directory.subpath(".a.json.reason.json")))
        var rejected = try folder()
        #expect(try directory.names() == [])
        try reject("a.json", into: &rejected)
        #expect(try directory.names().sorted() == ["a.json", "a.json.reason.json"])
    }

    @Test("a payload without a reason gets one, and its age begins")
    func lostReason() throws {
        try makeOld("a.json")
        _ = try folder()
        #expect(try directory.names().sorted() == ["a.json", "a.json.reason.json"])
        let text = try String(contentsOfFile: directory.subpath("a.json.reason.json"), encoding: .utf8)
        #expect(text.contains("the reason was lost in a crash"))
    }

    @Test("a payload whose reason cannot be written stays where it is")
    func noReason() throws {
        let temporaries = try Directory.make(temporary.path("temporaries"), mode: 0o700)
        var rejected = try RejectedFolder(directory, temporaries: temporaries)
        #expect(rmdir(temporaries.path) == 0)
        #expect(throws: SystemError.self) { try reject("a.json", into: &rejected) }
        #expect(try directory.names() == [])
        #expect(try origin.names() == ["source"])
    }

    @Test("a payload that cannot be moved leaves no reason")
    func notMoved() throws {
        // A directory that is moved into one below it: what rename(2) refuses whoever asks.
        var rejected = try RejectedFolder(
            origin.makeDirectory("source", mode: 0o700).makeDirectory("rejected", mode: 0o700), temporaries: directory)
        #expect(throws: SystemError.self) {
            try rejected.take(
                FileName("source"), from: origin, as: PayloadFile(folder: nil, name: FileName("a.json")), code: "c",
                message: "m")
        }
        #expect(try rejected.directory.names() == [])
    }

    @Test("a payload that grows where it lies is noticed: the oldest make room, and one too large alone goes")
    func growing() throws {
        var rejected = try folder(.init(bytes: 1000))
        for name in ["a.json", "b.json", "c.json"] { try reject(name, into: &rejected) }
        // By age, which may be the same millisecond for all three.
        for (number, name) in ["a.json", "b.json", "c.json"].enumerated() {
            var times = [timespec](repeating: timespec(tv_sec: time(nil) - 9 + number, tv_nsec: 0), count: 2)
            #expect(utimensat(AT_FDCWD, directory.subpath("\(name).reason.json"), &times, 0) == 0)
        }
        #expect(truncate(directory.subpath("b.json"), 800) == 0)
        try rejected.takeStock(at: .now())
        #expect(
            try directory.names().sorted() == ["b.json", "b.json.reason.json", "c.json", "c.json.reason.json"])
        #expect(truncate(directory.subpath("b.json"), 1000) == 0)
        try rejected.takeStock(at: .now())
        #expect(try directory.names().sorted() == ["b.json.reason.json", "c.json", "c.json.reason.json"])
    }

    @Test("a folder and a file of one name are both kept, whichever comes first")
    func sameName() throws {
        var rejected = try folder()
        try reject("k.json", into: &rejected)
        try reject("z.json", folder: "k.json", into: &rejected)
        try reject("z.json", folder: "l.json", into: &rejected)
        try reject("l.json", into: &rejected)
        #expect(
            try directory.names().sorted() == [
                "k-2.json", "k.json", "k.json.reason.json", "l-2.json", "l-2.json.reason.json", "l.json",
            ])
        #expect(try directory.directory("k-2.json").names().sorted() == ["z.json", "z.json.reason.json"])
    }

    @Test("a payload called like a reason is none, and is kept apart from its neighbour")
    func calledLikeReason() throws {
        var rejected = try folder()
        try reject("a.json.reason.json", into: &rejected)
        try reject("a.json", into: &rejected)
        let names = [
            "a-2.json", "a-2.json.reason.json", "a.json.reason.json", "a.json.reason.json.reason.json",
        ]
        #expect(try directory.names().sorted() == names)
        try rejected.takeStock(at: .now())
        #expect(try directory.names().sorted() == names)
    }

    @Test("what is gone is no rejection")
    func gone() throws {
        var rejected = try folder()
        let outcome = try rejected.take(
            FileName("none"), from: origin, as: PayloadFile(folder: nil, name: FileName("a.json")), code: "c",
            message: "m")
        guard case .gone = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try directory.names() == [])
    }
}
