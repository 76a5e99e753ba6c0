import Glibc
import Platform

/// The inbox's directory and the folders that the daemon keeps in it, open.
struct InboxFolders: Sendable {
    static let inboxMode: mode_t = 0o770
    private static let claimedName = ".claimed"
    private static let processedName = ".processed"
    private static let rejectedName = ".rejected"
    private static let temporariesName = ".temporary"

    let root: Directory
    /// Payloads that are the daemon's alone.
    let claimed: Directory
    /// Accepted payloads, where they are kept.
    let processed: Directory?
    /// For what is written here in one step.
    private let temporaries: Directory
    var rejected: RejectedFolder

    /// Opens them, making those that are not there. Plain modes: set-group-ID is inherited. Throws where nothing could
    /// be claimed, too.
    init(_ options: InboxOptions) throws(SystemError) {
        root = try Directory.make(options.path, mode: Self.inboxMode)
        claimed = try root.makeDirectory(Self.claimedName, mode: 0o750)
        processed = options.keepProcessed ? try root.makeDirectory(Self.processedName, mode: 0o750) : nil
        temporaries = try root.makeDirectory(Self.temporariesName, mode: 0o700)
        try root.checkWritable()
        try claimed.checkWritable()
        // Left by a run that was killed.
        for name in try temporaries.names() { try temporaries.remove(name) }
        rejected = try RejectedFolder(
            root.makeDirectory(Self.rejectedName, mode: 0o750), temporaries: temporaries)
    }

    /// Whether the inbox at `path` is still this one.
    func isAt(_ path: String) -> Bool {
        // One that cannot be opened is not there; opening it says why.
        guard let now = try? Directory.open(path).descriptor.status() else { return false }
        return Self.isSame(root, now)
    }

    /// Whether all these are still the directories at `path`.
    func areCurrent(_ path: String) -> Bool {
        isAt(path) && isThere(claimed, Self.claimedName) && isThere(rejected.directory, Self.rejectedName)
            && isThere(temporaries, Self.temporariesName)
            && processed.map { isThere($0, Self.processedName) } ?? true
    }

    private func isThere(_ folder: Directory, _ name: String) -> Bool {
        // As above.
        guard let now = try? root.status(of: name) else { return false }
        return Self.isSame(folder, now)
    }

    private static func isSame(_ directory: Directory, _ status: FileStatus) -> Bool {
        // As above.
        guard let open = try? directory.descriptor.status() else { return false }
        return open.device == status.device && open.inode == status.inode
    }
}
