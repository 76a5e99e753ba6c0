import Glibc

/// One inotify instance: what the kernel tells of watched directories, inotify(7). Owned by the thread that polls
/// `descriptor`. Events may be lost (`.overflow`), so what it tells is a hint, and a scan is the truth.
package final class Inotify: Sendable {
    /// What can happen, and how to watch for it; the kernel's own bits.
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }
        private init(_ bits: Int32) { rawValue = UInt32(bitPattern: bits) }

        package static let attributes = Events(IN_ATTRIB)
        package static let closedAfterWriting = Events(IN_CLOSE_WRITE)
        package static let created = Events(IN_CREATE)
        package static let deleted = Events(IN_DELETE)
        package static let movedFrom = Events(IN_MOVED_FROM)
        package static let movedTo = Events(IN_MOVED_TO)
        /// The watched directory itself was renamed; its watch goes with it.
        package static let selfMoved = Events(IN_MOVE_SELF)
        /// The watched directory itself is gone. It comes late while anybody holds the directory open.
        package static let selfDeleted = Events(IN_DELETE_SELF)
        /// The watch is no more: its directory is gone, or it was removed.
        package static let watchEnded = Events(IN_IGNORED)
        /// Events were lost.
        package static let overflow = Events(IN_Q_OVERFLOW)
        /// The event is about a directory.
        package static let isDirectory = Events(IN_ISDIR)
        /// For watching: fails where the path is no directory.
        package static let onlyDirectory = Events(IN_ONLYDIR)
        /// For watching: a link as the last part of the path is not followed.
        package static let noFollow = Events(IN_DONT_FOLLOW)
        /// For watching: nothing of files whose name is gone.
        package static let excludeUnlinked = Events(IN_EXCL_UNLINK)
    }

    /// A watched directory. The kernel gives one watch to a directory, whatever it is called, and no number twice.
    package struct Watch: Hashable, Sendable {
        let number: Int32
    }

    /// One thing that happened.
    package struct Event: Sendable {
        /// Where; nil for an overflow, which concerns all.
        package let watch: Watch?
        package let events: Events
        /// The name in the watched directory; nil where the event is about the directory itself, or the name is no
        /// UTF-8.
        package let name: String?
        /// A name that is no UTF-8, escaped as `Directory.forEachName` does.
        package let unreadableName: String?
    }

    /// For poll(2): readable when there are events.
    package let descriptor: Descriptor

    package init() throws(SystemError) {
        descriptor = Descriptor(
            owning: try checked("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
    }

    /// Watches the directory at `path`; a directory that is watched already keeps its watch, for `events` from now on.
    package func watch(_ path: String, for events: Events) throws(SystemError) -> Watch {
        Watch(
            number: try checked("inotify_add_watch", path: path) {
                inotify_add_watch(descriptor.raw, path, events.rawValue)
            })
    }

    /// Ends the watch; one that has ended already is no error.
    package func remove(_ watch: Watch) {
        _ = inotify_rm_watch(descriptor.raw, watch.number)
    }

    /// The events that are there, some thousand at most; empty where there are none. Never blocks.
    package func read() throws(SystemError) -> [Event] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count: Int
        do {
            count = try checked("read", path: "inotify") { Glibc.read(descriptor.raw, &buffer, buffer.count) }
        } catch let error where error.code == EAGAIN {
            return []
        }
        return buffer[..<count].withUnsafeBytes(Self.events)
    }

    /// The records in `bytes`: a header, then the name, padded with zeros.
    private static func events(_ bytes: UnsafeRawBufferPointer) -> [Event] {
        let headerSize = MemoryLayout<inotify_event>.size
        var events: [Event] = []
        var offset = 0
        while offset + headerSize <= bytes.count {
            // SAFETY: the guard above keeps the header within `bytes`; it has only plain integers.
            let header = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let nameStart = offset + headerSize
            offset = nameStart + Int(header.len)
            guard offset <= bytes.count else { break }
            let padded = UnsafeRawBufferPointer(rebasing: bytes[nameStart..<offset])
            let watch = header.wd < 0 ? nil : Watch(number: header.wd)
            let happened = Events(rawValue: header.mask)
            let bytes = padded.prefix { $0 != 0 }
            let name = padded.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
            let unreadableName = padded.isEmpty || name != nil ? nil : Directory.escaped(bytes)
            events.append(Event(watch: watch, events: happened, name: name, unreadableName: unreadableName))
        }
        return events
    }
}
