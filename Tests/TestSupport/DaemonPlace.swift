import Foundation
import Glibc
package import Platform
package import Stories

/// The directories of one daemon, below a temporary one of their own, as those see them who drop payloads and those who
/// read manifests. Outlives the daemon's process, so that another can take over.
package final class DaemonPlace: Sendable {
    private let directory: TemporaryDirectory
    private let running = Locked(Running())

    /// The daemon that was started here last, while it is held by somebody.
    package var daemon: DaemonProcess? {
        get { running.withLock { $0.daemon } }
        set { running.withLock { $0.daemon = newValue } }
    }

    private struct Running: Sendable {
        weak var daemon: DaemonProcess?
    }

    package var inbox: String { directory.path("inbox") }
    package var groups: String { directory.path("groups") }
    package var fallbackDirectory: String { directory.path("fallback") }
    package var state: String { directory.path("state") }
    package var socket: String { directory.path("storiesd.sock") }

    /// Makes the inbox and the folder of the groups; all else is the daemon's to make.
    package init() throws {
        directory = try TemporaryDirectory()
        for path in [inbox, groups] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// `name` beside the daemon's own directories.
    package func path(_ name: String) -> String { directory.path(name) }

    /// The keys of the configuration that make a daemon work here.
    package var settings: [String: String] {
        [
            "inbox": inbox, "app_groups_root": groups, "fallback_directory": fallbackDirectory,
            "state_directory": state, "socket": socket,
        ]
    }

    /// The same as arguments.
    package var arguments: [String] {
        settings.flatMap { ["--set", "\($0)=\($1)"] }
    }

    /// Makes the group's container; answers its path.
    @discardableResult
    package func provision(_ group: String) throws -> String {
        let path = "\(groups)/\(group)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    /// Drops a payload in the inbox, or in the folder of a group, which is made where it is not there.
    package func drop(_ name: String, _ bytes: [UInt8], group: String? = nil) throws {
        let folder = group.map { "\(inbox)/\($0)" } ?? inbox
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileBytes.put(bytes, at: "\(folder)/\(name)")
    }

    /// The `pw_stories_cache` of a group: of its own container where it is provisioned.
    package func cache(_ group: String?) -> String {
        let own = group.map { "\(groups)/\($0)" }
        let container = own.flatMap { access($0, F_OK) == 0 ? $0 : nil } ?? "\(fallbackDirectory)/\(group ?? "_")"
        return "\(container)/pw_stories_cache"
    }

    /// The text of a manifest; nil where there is none.
    package func manifestBytes(_ id: String, group: String? = nil) throws -> [UInt8]? {
        let path = "\(cache(group))/stories/\(id)/manifest.json"
        return access(path, F_OK) == 0 ? try FileBytes.read(path) : nil
    }

    /// A manifest; nil where there is none.
    package func manifest(_ id: String, group: String? = nil) throws -> Manifest? {
        try manifestBytes(id, group: group).map { try Manifest(bytes: $0) }
    }

    /// The ids of a group's stories, sorted.
    package func stories(_ group: String? = nil) throws -> [String] {
        try names("\(cache(group))/stories")
    }

    /// What lies in a directory, sorted; nothing where it is not there.
    package func names(_ path: String) throws -> [String] {
        guard access(path, F_OK) == 0 else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Everything below a directory, as paths relative to it, sorted.
    package func tree(_ path: String) throws -> [String] {
        guard access(path, F_OK) == 0 else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }

    /// The files that lie in the inbox, its own dot folders included, as relative paths.
    package func inboxFiles() throws -> [String] {
        // One may go while it is looked at.
        try tree(inbox).filter { path in (try? status("\(inbox)/\(path)")).map { $0.kind != .directory } ?? false }
    }

    /// What stat(2) tells of a file, symbolic links not followed.
    package func status(_ path: String) throws -> FileStatus {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let status = try Directory.open(String(path[..<slash])).status(of: String(path[path.index(after: slash)...]))
        guard let status else { throw SystemError("fstatat", path: path, code: ENOENT) }
        return status
    }
}
