import Foundation
import Platform
import TestSupport
import Testing

/// A tmpfs of the test's own, mounted while it lives.
final class SmallDisk: Sendable {
    private let temporary: TemporaryDirectory
    var path: String { temporary.path }

    /// Whether this process may mount anything: tried, as not every root may.
    static let isAllowed = (try? SmallDisk(options: "size=64k")) != nil

    /// `options` as mount(8) takes them.
    init(options: String) throws {
        temporary = try TemporaryDirectory()
        try Self.run("mount", "-t", "tmpfs", "-o", options, "none", temporary.path)
    }

    deinit {
        // Lazily: a cache of the same test may still hold it open.
        try? Self.run("umount", "-l", temporary.path)
    }

    /// Mounts it again as `mode`: `ro` or `rw`.
    func remount(_ mode: String) throws {
        try Self.run("mount", "-o", "remount,\(mode)", path)
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        // What it complains of is told by its status.
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments)")
    }
}
