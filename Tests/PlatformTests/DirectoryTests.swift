import Foundation
import Glibc
import Platform
import TestSupport
import Testing

struct DirectoryTests {
    private let temporary: TemporaryDirectory
    private let directory: Directory

    init() throws {
        temporary = try TemporaryDirectory()
        directory = try Directory.open(temporary.path)
    }

    private func make(_ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(filePath: temporary.path(name)))
    }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: temporary.path(name), encoding: .utf8)
    }

    @Test("making a directory makes those above it, and one that is there is opened")
    func make() throws {
        let path = temporary.path("a/b/c")
        #expect(try Directory.make(path, mode: 0o700).path == path)
        _ = try Directory.make(path, mode: 0o700)
        #expect(try directory.status(of: "a")?.kind == .directory)
    }

    @Test("a directory cannot be made where a file has its name")
    func makeOverFile() throws {
        try make("a")
        #expect(throws: SystemError.self) { try Directory.make(temporary.path("a"), mode: 0o700) }
        #expect(throws: SystemError.self) { try Directory.make(temporary.path("a/b"), mode: 0o700) }
        #expect(throws: SystemError.self) { try directory.makeDirectory("a", mode: 0o700) }
    }

    @Test("why a directory could not be made is told", .enabled(if: SmallDisk.isAllowed, "nothing may be mounted here"))
    func makeOnReadOnlyDisk() throws {
        let disk = try SmallDisk(options: "size=64k,ro")
        let failure = #expect(throws: SystemError.self) { try Directory.make("\(disk.path)/a/b", mode: 0o700) }
        #expect(failure == SystemError("mkdir", path: "\(disk.path)/a", code: EROFS))
    }

    @Test("no link is followed below a directory")
    func links() throws {
        try make("target", "secret")
        #expect(mkdir(temporary.path("place"), 0o700) == 0)
        #expect(symlink(temporary.path("target"), temporary.path("file")) == 0)
        #expect(symlink(temporary.path("place"), temporary.path("folder")) == 0)
        #expect(symlink(temporary.path("nowhere"), temporary.path("dangling")) == 0)
        #expect(throws: SystemError.self) { try directory.openFile("file", flags: O_RDONLY) }
        #expect(throws: SystemError.self) { try directory.openFile("dangling", flags: O_WRONLY | O_CREAT, mode: 0o600) }
        #expect(throws: SystemError.self) { try directory.directory("folder") }
        #expect(throws: SystemError.self) { try directory.makeDirectory("folder", mode: 0o700) }
        #expect(try directory.status(of: "file")?.kind == .symbolicLink)
        #expect(try directory.status(of: "nowhere") == nil)
    }

    @Test("the path given to open may lead over links: an operator wrote it")
    func openedThroughLink() throws {
        #expect(symlink(temporary.path, temporary.path("self")) == 0)
        #expect(try Directory.open(temporary.path("self")).status(of: "self")?.kind == .symbolicLink)
    }

    @Test("a new directory inherits set-group-ID although a plain mode is asked for")
    func setGroupID() throws {
        let parent = try directory.makeDirectory("parent", mode: 0o750)
        #expect(chmod(temporary.path("parent"), 0o2750) == 0)
        let child = try parent.makeDirectory("child", mode: 0o750)
        #expect(try child.descriptor.status().mode & 0o2000 == 0o2000)
    }

    @Test("rename replaces, renameNew does not")
    func rename() throws {
        try make("a", "a")
        try make("b", "b")
        try make("c", "c")
        #expect(try directory.renameNew("a", to: "b", in: directory) == false)
        #expect(try content("a") == "a")
        #expect(try content("b") == "b")
        #expect(try directory.renameNew("a", to: "new", in: directory))
        #expect(try content("new") == "a")
        try directory.rename("c", to: "b", in: directory)
        #expect(try content("b") == "c")
        #expect { try directory.renameNew("none", to: "d", in: directory) } throws: {
            ($0 as? SystemError)?.isMissing == true
        }
    }

    @Test("a directory is not moved into itself")
    func renameIntoItself() throws {
        let inner = try directory.makeDirectory("a", mode: 0o700)
        let error = #expect(throws: SystemError.self) { try directory.renameNew("a", to: "b", in: inner) }
        #expect(error?.code == EINVAL)
    }

    @Test("removing tells whether there was something")
    func remove() throws {
        try make("a")
        #expect(try directory.remove("a"))
        #expect(try directory.remove("a") == false)
        _ = try directory.makeDirectory("full", mode: 0o700)
        try make("full/a")
        #expect(try directory.removeDirectory("full") == false)
        #expect(throws: SystemError.self) { try directory.remove("full") }
        #expect(try directory.directory("full").remove("a"))
        #expect(try directory.removeDirectory("full"))
        #expect(try directory.removeDirectory("full") == false)
    }

    @Test("names are read as often as they are asked for, hidden ones too; those that are no UTF-8 are shown apart")
    func names() throws {
        for name in ["a", ".b", "ü"] { try make(name) }
        let odd: [CChar] = Array(temporary.path("").utf8CString.dropLast()) + [-1, 0x5C, 0x6A, 0]
        #expect(close(creat(odd, 0o600)) == 0)
        #expect(try directory.names().sorted() == [".b", "a", "ü"])
        #expect(try directory.names().count == 3)
        var seen = 0
        try directory.forEachName { _ in
            seen += 1
            return false
        }
        #expect(seen == 1)
        var unreadable: [String] = []
        try directory.forEachName(unreadable: { name, isDirectory in
            unreadable.append(name)
            #expect(!isDirectory)
        }) { _ in true }
        #expect(unreadable == [#"\xff\x5cj"#])
    }

    @Test("a directory on a filesystem that is read-only says so")
    func readOnly() throws {
        try directory.checkWritable()
        let error = #expect(throws: SystemError.self) { try Directory.open("/proc/self").checkWritable() }
        #expect(error?.path == "/proc/self")
    }

    @Test("an error names the call, the path and the reason")
    func errors() throws {
        let error = #expect(throws: SystemError.self) { try directory.directory("none") }
        #expect(error?.isMissing == true)
        #expect(error?.description == "open \(temporary.path)/none: No such file or directory")
    }
}
