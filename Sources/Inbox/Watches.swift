import Glibc
import Platform

/// The kernel's watches on the inbox, its folders and the directory that it lies in, and their events in the inbox's
/// own words. Owned by the inbox's thread.
struct Watches: Sendable {
    /// What happened.
    enum Event {
        /// Events were lost: only a scan can tell.
        case lost
        /// Something now has, or no longer has, the inbox's name.
        case inboxReplaced
        /// A folder has appeared under that name or is gone, is another one than before, or has other attributes.
        case folder(FileName)
        /// A payload or a folder has appeared, in the inbox or in that folder, whose name is no UTF-8.
        case unreadableName(FileName?)
        case payload(PayloadFile, Intake.Sighting)
        case attributes(PayloadFile)
        case gone(PayloadFile)
    }

    /// More folders than this are found by rescans only.
    static let mostFolders = 4096

    /// For poll(2).
    var descriptor: Descriptor { inotify.descriptor }
    /// Whether something could not be watched: then only rescans find what is new there.
    private(set) var isIncomplete = false

    private let inotify: Inotify
    private let path: String
    private let parentPath: String
    private let name: String
    private var parent: Inotify.Watch?
    private var root: Inotify.Watch?
    private var folders: [Inotify.Watch: FileName] = [:]

    init(path: String) throws(SystemError) {
        inotify = try Inotify()
        // `/a/b/` is `/a/b`, which is the name that the parent's events tell of.
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
        self.path = path
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        parentPath = slash == path.startIndex ? "/" : String(path[..<slash])
        name = String(path[path.utf8.index(after: slash)...])
    }

    private static let payloadEvents: Inotify.Events = [
        .closedAfterWriting, .movedTo, .created, .attributes, .deleted, .selfMoved, .selfDeleted, .onlyDirectory,
        .excludeUnlinked,
    ]

    /// Watches the inbox afresh; false where it is not there. To be called before it is opened: then what is opened is
    /// what is watched, or an event tells otherwise.
    mutating func watchInbox() -> Bool {
        if let root { inotify.remove(root) }
        for watch in folders.keys { inotify.remove(watch) }
        (root, folders, isIncomplete) = (nil, [:], false)
        // The inbox's own events do not tell of its end while it is held open; those of its parent do. Where the
        // parent may not be watched, rescans tell.
        let around: Inotify.Events = [.created, .deleted, .movedFrom, .movedTo, .onlyDirectory]
        parent = try? inotify.watch(parentPath, for: around)
        do {
            root = try inotify.watch(path, for: Self.payloadEvents)
        } catch {
            isIncomplete = !error.isMissing
            return isIncomplete
        }
        return true
    }

    /// A sweep begins, in which all folders are watched again: what was too much may not be any more.
    mutating func beginSweep() {
        isIncomplete = !isInboxWatched
    }

    var isInboxWatched: Bool { root != nil }

    /// Watches the folder `folder`, which may be watched already. Links are not followed.
    mutating func watchFolder(_ folder: FileName) {
        do {
            let watch = try inotify.watch("\(path)/\(folder)", for: Self.payloadEvents.union(.noFollow))
            if folders.count >= Self.mostFolders, folders[watch] == nil {
                inotify.remove(watch)
                isIncomplete = true
            } else {
                folders[watch] = folder
            }
        } catch {
            // Gone again, no directory, or not readable, which is told when it is read. Anything else is a limit.
            if ![ENOENT, ENOTDIR, ELOOP, EACCES].contains(error.code) { isIncomplete = true }
        }
    }

    /// What has happened since the last call, in order.
    mutating func read() throws(SystemError) -> [Event] {
        var told: [Event] = []
        for event in try inotify.read() {
            if let event = interpret(event) { told.append(event) }
        }
        return told
    }

    private mutating func interpret(_ event: Inotify.Event) -> Event? {
        guard let watch = event.watch else { return event.events.contains(.overflow) ? .lost : nil }
        if watch == parent { return interpretAround(event) }
        if watch == root { return interpret(event, in: nil) }
        guard let folder = folders[watch] else { return nil }
        if !event.events.isDisjoint(with: [.watchEnded, .selfMoved]) {
            folders[watch] = nil
            // It may live on under another name, which tells of itself; under this one there may be a new one.
            if event.events.contains(.selfMoved) { inotify.remove(watch) }
            return .folder(folder)
        }
        return interpret(event, in: folder)
    }

    private mutating func interpretAround(_ event: Inotify.Event) -> Event? {
        if event.events.contains(.watchEnded) {
            parent = nil
            return .inboxReplaced
        }
        return event.name == name ? .inboxReplaced : nil
    }

    private func interpret(_ event: Inotify.Event, in folder: FileName?) -> Event? {
        if let text = event.unreadableName {
            let name = FileName(text)
            let isWanted = event.events.contains(.isDirectory) ? folder == nil && !name.isIgnored : name.isPayload
            return isWanted && !event.events.contains(.deleted) ? .unreadableName(folder) : nil
        }
        guard let text = event.name else {
            let isReplaced = !event.events.isDisjoint(with: [.watchEnded, .selfMoved, .selfDeleted])
            return folder == nil && isReplaced ? .inboxReplaced : nil
        }
        let name = FileName(text)
        if event.events.contains(.isDirectory) {
            let isChange = !event.events.isDisjoint(with: [.created, .movedTo, .attributes, .deleted])
            return folder == nil && isChange && !name.isIgnored ? .folder(name) : nil
        }
        guard name.isPayload else { return nil }
        let file = PayloadFile(folder: folder, name: name)
        if !event.events.isDisjoint(with: [.closedAfterWriting, .movedTo]) { return .payload(file, .closed) }
        if event.events.contains(.created) { return .payload(file, .created) }
        if event.events.contains(.attributes) { return .attributes(file) }
        return event.events.contains(.deleted) ? .gone(file) : nil
    }
}
