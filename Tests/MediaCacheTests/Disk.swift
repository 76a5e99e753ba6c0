import Foundation
import Glibc
import Platform

/// What tests look at, and do to, the disk behind the cache's back.
enum Disk {
    /// All regular files below `path`, relative to it, with their sizes.
    static func files(below path: String) -> [String: Int64] {
        var files: [String: Int64] = [:]
        guard let walk = FileManager.default.enumerator(atPath: path) else { return files }
        while let name = walk.nextObject() as? String {
            guard let status = status("\(path)/\(name)"), status.st_mode & S_IFMT == S_IFREG else { continue }
            files[name] = Int64(status.st_size)
        }
        return files
    }

    static func status(_ path: String) -> stat? {
        var value = stat()
        return lstat(path, &value) == 0 ? value : nil
    }

    static func mode(_ path: String) -> mode_t? { status(path).map { $0.st_mode & 0o7777 } }

    static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// Writes in place, over what is there.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try Directory.open("/").openFile(String(path.dropFirst()), flags: O_WRONLY | O_CREAT, mode: 0o640)
        try file.write(bytes)
    }

    /// Sets a file's time of change to another than it can have had.
    static func age(_ path: String) throws {
        let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        try checked("utimensat", path: path) { utimensat(AT_FDCWD, path, times, 0) }
    }

    /// A new file, with the directories above it.
    static func make(_ path: String, _ bytes: [UInt8] = []) throws {
        _ = try Directory.make(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), mode: 0o750)
        try write(bytes, to: path)
    }

    static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    static func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
}
