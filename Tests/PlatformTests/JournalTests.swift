import Glibc
import TestSupport
import Testing

@testable import Platform

/// Entries that go to the journal by its own socket.
struct JournalTests {
    private let directory: TemporaryDirectory
    private let standardError: Descriptor

    init() throws {
        directory = try TemporaryDirectory()
        standardError = try Directory.open(directory.path).openFile("errors", flags: O_RDWR | O_CREAT, mode: 0o600)
    }

    private var lines: String {
        get throws { String(decoding: try FileBytes.read(directory.path("errors")), as: UTF8.self) }
    }

    private func log() -> Log {
        Log(
            program: "storiesd", level: .info, output: LineOutput(standardError.raw), isJournal: true,
            journal: JournalSocket(path: directory.path("journal")))
    }

    @Test func `an entry has its text, its priority, the program's name and what it is about`() throws {
        let journal = try UnixSocket.datagrams(at: directory.path("journal"))
        let log = log()
        log.warning("a page\nfails", Log.Fields(("STORY_ID", "a"), ("GROUP", nil)), Log.Fields(("ERROR_CODE", "d\nns")))
        log.debug("not wanted")
        #expect(
            UnixSocket.received(by: journal) == [
                "MESSAGE=a page fails\nPRIORITY=4\nSYSLOG_IDENTIFIER=storiesd\nSTORY_ID=a\nERROR_CODE=d ns\n"
            ])
        #expect(try lines == "")
    }

    @Test func `where the journal's socket is not there, or full, the line goes to standard error`() throws {
        let log = log()
        log.info("alone", Log.Fields(("STORY_ID", "a")))
        #expect(try lines == "<6>alone\n")
        let journal = try UnixSocket.datagrams(at: directory.path("journal"))
        // More than a socket keeps: none of them is waited for, and none is lost.
        for number in 0..<2000 { log.error("\(number)") }
        let fallen = try lines.split(separator: "\n").dropFirst()
        #expect(UnixSocket.received(by: journal).count + fallen.count == 2000)
        #expect(fallen.first?.hasPrefix("<3>") == true)
    }
}
