import Foundation
import Glibc
import Platform
import TestSupport
import Testing

struct AtomicFileTests {
    private let temporary: TemporaryDirectory
    private let directory: Directory
    private let temporaries: Directory

    init() throws {
        temporary = try TemporaryDirectory()
        directory = try Directory.make(temporary.path("place"), mode: 0o700)
        temporaries = try Directory.make(temporary.path("temporaries"), mode: 0o700)
    }

    private func content(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: directory.subpath(name))))
    }

    @Test("a file is made, then replaced, with its mode, and no temporary is left")
    func replaced() throws {
        for text in ["first", "second"] {
            try AtomicFile.write(Array(text.utf8), to: "a", in: directory, temporaries: temporaries, mode: 0o640)
            #expect(try content("a") == Array(text.utf8))
        }
        #expect(try directory.status(of: "a")?.mode == 0o640)
        #expect(try directory.names() == ["a"])
        #expect(try temporaries.names() == [])
    }

    @Test("where the umask is to be ignored, it is")
    func umaskIgnored() throws {
        try AtomicFile.write(
            [1], to: "a", in: directory, temporaries: temporaries, mode: 0o666, ignoresUmask: true)
        #expect(try directory.status(of: "a")?.mode == 0o666)
    }

    @Test("a failure leaves the old file and no temporary")
    func failed() throws {
        _ = try directory.makeDirectory("taken", mode: 0o700)
        let error = #expect(throws: SystemError.self) {
            try AtomicFile.write([1], to: "taken", in: directory, temporaries: temporaries, mode: 0o640)
        }
        #expect(error?.operation == "rename")
        #expect(try directory.status(of: "taken")?.kind == .directory)
        #expect(try temporaries.names() == [])
    }

    @Test("a link under the name is replaced, not followed")
    func link() throws {
        #expect(symlink("/dev/null", directory.subpath("a")) == 0)
        try AtomicFile.write([1, 2], to: "a", in: directory, temporaries: temporaries, mode: 0o640)
        #expect(try directory.status(of: "a")?.kind == .regular)
    }

    @Test("a reader sees the old content or the new one, whole")
    func whole() throws {
        let size = 100_000
        func write(_ byte: UInt8) throws(SystemError) {
            try AtomicFile.write(
                [UInt8](repeating: byte, count: size), to: "a", in: directory, temporaries: temporaries, mode: 0o640)
        }
        try write(0)
        let isDone = Locked(false)
        let mixed = Locked(0)
        let reader = try Platform.Thread(name: "reader") { [directory] in
            while !isDone.withLock({ $0 }) {
                guard let bytes = try? directory.openFile("a", flags: O_RDONLY).readAll(limit: size),
                    bytes.count == size,
                    let first = bytes.first, bytes.allSatisfy({ $0 == first })
                else {
                    mixed.withLock { $0 += 1 }
                    continue
                }
            }
        }
        for byte in 1...50 { try write(UInt8(byte)) }
        isDone.withLock { $0 = true }
        reader.join()
        #expect(mixed.withLock { $0 } == 0)
    }

    @Test("no two temporaries have one name")
    func names() {
        #expect(Set((0..<1000).map { _ in AtomicFile.temporaryName() }).count == 1000)
    }
}
