import Foundation
import Glibc
import Platform
import TestSupport
import Testing

struct DescriptorTests {
    private let temporary: TemporaryDirectory
    private let directory: Directory

    init() throws {
        temporary = try TemporaryDirectory()
        directory = try Directory.open(temporary.path)
    }

    @Test("what was written is read, to the end and to the limit", arguments: [0, 1, 65_536, 200_000])
    func roundTrip(_ size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try directory.openFile("a", flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
        try file.write(bytes)
        try file.synchronize()
        let status = try file.status()
        #expect(status.size == Int64(size))
        #expect(status.kind == .regular)
        #expect(try directory.openFile("a", flags: O_RDONLY).readAll(limit: size) == bytes)
        #expect(try directory.openFile("a", flags: O_RDONLY).readAll(limit: size + 1) == bytes)
        if size > 0 { #expect(try directory.openFile("a", flags: O_RDONLY).readAll(limit: size - 1) == nil) }
    }

    @Test("a file cut short goes on being written at its end", arguments: [0, 3])
    func truncated(_ length: Int) throws {
        let file = try directory.openFile("a", flags: O_RDWR | O_CREAT, mode: 0o600)
        try file.write(Array("abcdef".utf8))
        try file.truncate(to: Int64(length))
        try file.write(Array("xy".utf8))
        let bytes = try directory.openFile("a", flags: O_RDONLY).readAll(limit: 10)
        #expect(bytes == Array("abcdef".utf8).prefix(length) + Array("xy".utf8))
    }

    @Test func `when a file was made is known, where its filesystem keeps that, and does not change`() throws {
        let before = Timestamp.now()
        let file = try directory.openFile("a", flags: O_RDWR | O_CREAT, mode: 0o600)
        guard let made = file.birthTime else { return }
        // The kernel's own clock for this is some milliseconds behind.
        #expect(made > before.advanced(bySeconds: -1) && made < Timestamp.now().advanced(bySeconds: 1))
        let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        futimens(file.raw, times)
        #expect(file.birthTime == made)
    }

    @Test("bytes are written over at their offset")
    func overwritten() throws {
        let file = try directory.openFile("a", flags: O_RDWR | O_CREAT, mode: 0o600)
        try file.write(Array("abcdef".utf8))
        try file.write(Array("XY".utf8), at: 1)
        #expect(try FileBytes.read("\(temporary.path)/a") == Array("aXYdef".utf8))
    }

    @Test("a file that says it is empty is read all the same, up to the limit")
    func noSize() throws {
        let file = try Directory.open("/proc/self").openFile("maps", flags: O_RDONLY)
        #expect(try file.status().size == 0)
        #expect(try file.readAll(limit: 10) == nil)
    }

    @Test("a descriptor is closed when it goes")
    func closed() throws {
        var file: Descriptor? = try directory.openFile("a", flags: O_RDWR | O_CREAT, mode: 0o600)
        let other = try directory.openFile("a", flags: O_RDWR)
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        // A lock of an open file description lives as long as that.
        #expect(fcntl(try #require(file?.raw), 37 /* F_OFD_SETLK */, &lock) == 0)
        #expect(fcntl(other.raw, 37, &lock) == -1)
        file = nil
        #expect(fcntl(other.raw, 37, &lock) == 0)
    }

    @Test("a group that the file has already is no change")
    func adopt() throws {
        let file = try directory.openFile("a", flags: O_RDWR | O_CREAT, mode: 0o600)
        try file.adopt(group: nil)
        try file.adopt(group: file.status().group)
        #expect(try file.status().group == getegid() || getegid() != 0)
    }
}
