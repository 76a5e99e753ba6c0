import Foundation
import Glibc

/// A tmpfs of the test's own, mounted while it lives.
package final class SmallDisk: Sendable {
    package let path: String
    // Let go of after the disk: its directory can go only then.
    private let owner: any AnyObject & Sendable

    /// Whether this process may mount anything: tried, as not every root may.
    package static let isAllowed = (try? SmallDisk(options: "size=64k")) != nil

    /// A disk in a temporary directory of its own; `options` as mount(8) takes them.
    package convenience init(options: String) throws {
        let temporary = try TemporaryDirectory()
        try self.init(options: options, at: temporary.path, of: temporary)
    }

    /// A disk over the directory at `path`, which `owner` removes when it goes.
    package init(options: String, at path: String, of owner: any AnyObject & Sendable) throws {
        self.path = path
        self.owner = owner
        try Self.run("mount", "-t", "tmpfs", "-o", options, "none", path)
    }

    deinit {
        // Lazily: a cache of the same test may still hold it open. One that stays mounted is no finding of the test.
        try? Self.run("umount", "-l", path)
    }

    /// Mounts it again as `mode`: `ro` or `rw`.
    package func remount(_ mode: String) throws {
        try Self.run("mount", "-o", "remount,\(mode)", path)
    }

    /// Fills it with a file until only `bytes` are left; answers the file's path.
    package func fill(leaving bytes: Int) throws -> String {
        var space = statvfs()
        guard statvfs(path, &space) == 0 else { throw Tool.Failure(description: "statvfs \(path): errno \(errno)") }
        let free = Int(space.f_bavail) * Int(space.f_frsize)
        let filler = "\(path)/filler"
        try FileBytes.put([UInt8](repeating: 1, count: max(0, free - bytes)), at: filler)
        return filler
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        // What it complains of is told by its status.
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Tool.Failure(description: "\(arguments) failed") }
    }
}
