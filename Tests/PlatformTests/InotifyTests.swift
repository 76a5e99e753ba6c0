import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct InotifyTests {
    private let temporary: TemporaryDirectory
    private let inotify: Inotify

    init() throws {
        temporary = try TemporaryDirectory()
        inotify = try Inotify()
    }

    @Test("a file's life is told in order, with its name")
    func life() throws {
        let watch = try inotify.watch(
            temporary.path, for: [.created, .closedAfterWriting, .movedFrom, .movedTo, .attributes, .deleted])
        let directory = try Directory.open(temporary.path)
        _ = try directory.openFile("a", flags: O_WRONLY | O_CREAT, mode: 0o600)
        try directory.rename("a", to: "ü", in: directory)
        #expect(chmod(temporary.path("ü"), 0o640) == 0)
        try directory.remove("ü")
        #expect(mkdir(temporary.path("d"), 0o700) == 0)
        let events = try inotify.read()
        #expect(events.map(\.name) == ["a", "a", "a", "ü", "ü", "ü", "d"])
        #expect(events.allSatisfy { $0.watch == watch })
        #expect(
            events.map(\.events) == [
                .created, .closedAfterWriting, .movedFrom, .movedTo, .attributes, .deleted, [.created, .isDirectory],
            ])
        #expect(try inotify.read().isEmpty)
    }

    @Test("the end of a watched directory is told, and nothing of it after that")
    func end() throws {
        let path = temporary.path("d")
        #expect(mkdir(path, 0o700) == 0)
        let watch = try inotify.watch(path, for: [.created, .selfDeleted])
        #expect(rmdir(path) == 0)
        let events = try inotify.read()
        #expect(events.map(\.events) == [.selfDeleted, .watchEnded])
        #expect(events.allSatisfy { $0.watch == watch && $0.name == nil })
        #expect(mkdir(path, 0o700) == 0)
        #expect(try inotify.watch(path, for: .created) != watch)
    }

    @Test("a watch that was removed is silent, and removing it again is no error")
    func removed() throws {
        let watch = try inotify.watch(temporary.path, for: .created)
        inotify.remove(watch)
        inotify.remove(watch)
        #expect(mkdir(temporary.path("d"), 0o700) == 0)
        #expect(try inotify.read().map(\.events) == [.watchEnded])
    }

    @Test("one directory has one watch, under whatever name")
    func sameDirectory() throws {
        #expect(symlink(temporary.path, temporary.path("link")) == 0)
        let watch = try inotify.watch(temporary.path, for: .created)
        #expect(try inotify.watch(temporary.path("link"), for: .created) == watch)
    }

    @Test("what is no directory, a link that is not to be followed and a missing path are refused")
    func refused() throws {
        try Data().write(to: URL(filePath: temporary.path("file")))
        #expect(symlink(temporary.path, temporary.path("link")) == 0)
        for name in ["file", "link", "none"] {
            #expect(throws: SystemError.self) {
                try inotify.watch(temporary.path(name), for: [.created, .onlyDirectory, .noFollow])
            }
        }
    }

    @Test("more events than one read takes are read one part after the other")
    func many() throws {
        _ = try inotify.watch(temporary.path, for: .created)
        let count = 3000
        for number in 0..<count {
            #expect(close(creat(temporary.path("a file with a name of some length \(number)"), 0o600)) == 0)
        }
        var names: [String] = []
        while true {
            let events = try inotify.read()
            if events.isEmpty { break }
            names += events.compactMap(\.name)
        }
        #expect(names == (0..<count).map { "a file with a name of some length \($0)" })
    }

    @Test("a name that is no UTF-8 is told escaped, and those after it as they are")
    func oddName() throws {
        _ = try inotify.watch(temporary.path, for: .created)
        let odd: [CChar] = Array(temporary.path("").utf8CString.dropLast()) + [-1, 0]
        #expect(close(creat(odd, 0o600)) == 0)
        #expect(close(creat(temporary.path("a"), 0o600)) == 0)
        let events = try inotify.read()
        #expect(events.map(\.name) == [nil, "a"])
        #expect(events.map(\.unreadableName) == [#"\xff"#, nil])
    }
}
