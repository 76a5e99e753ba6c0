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
        var rejected = try folder(.init(payloads: 3))
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
