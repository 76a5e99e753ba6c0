package import Glibc

/// The durable write: a temporary file in the same filesystem, write, fsync, rename, fsync of the directory. A reader
/// sees the old file or the new one, whole; after a power cut likewise.
package enum AtomicFile {
    /// Replaces `name` in `directory` by `bytes`. The temporary file is made in `temporaries`, a directory of the same
    /// filesystem, and is gone when this throws. `ignoresUmask`: the file gets `mode` whatever the process's umask is.
    package static func write(
        _ bytes: [UInt8], to name: String, in directory: Directory, temporaries: Directory, mode: mode_t,
        ignoresUmask: Bool = false, group: gid_t? = nil
    ) throws(SystemError) {
        let replacement = try prepare(
            bytes, temporaries: temporaries, mode: mode, ignoresUmask: ignoresUmask, group: group)
        do {
            try replacement.file.synchronize()
            try replacement.place(as: name, in: directory)
        } catch {
            replacement.abandon()
            throw error
        }
        try directory.synchronize()
    }

    /// A file that is written and has no name yet that a reader looks for. Whoever has it waits until `file` is on disk,
    /// places it, and waits until the directory is; or abandons it.
    package struct Replacement {
        package let file: Descriptor
        private let name: String
        private let temporaries: Directory

        fileprivate init(file: Descriptor, name: String, temporaries: Directory) {
            self.file = file
            self.name = name
            self.temporaries = temporaries
        }

        /// Puts it in the place of what has that name.
        package func place(as name: String, in directory: Directory) throws(SystemError) {
            try temporaries.rename(self.name, to: name, in: directory)
        }

        /// Removes it. What cannot be removed now goes at the next start.
        package func abandon() {
            _ = try? temporaries.remove(name)
        }
    }

    /// Writes the temporary file; as `write`.
    package static func prepare(
        _ bytes: [UInt8], temporaries: Directory, mode: mode_t, ignoresUmask: Bool = false, group: gid_t? = nil
    ) throws(SystemError) -> Replacement {
        let name = temporaryName()
        let file = try temporaries.openFile(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        let replacement = Replacement(file: file, name: name, temporaries: temporaries)
        do {
            try file.adopt(group: group)
            if ignoresUmask { try file.setMode(mode) }
            try file.write(bytes)
        } catch {
            replacement.abandon()
            throw error
        }
        return replacement
    }

    /// A name that no other temporary of this machine has: process, moment and a count.
    package static func temporaryName() -> String {
        let count = counter.withLock { count in
            count += 1
            return count
        }
        return "\(getpid())-\(Timestamp.now().milliseconds)-\(count)"
    }

    private static let counter = Locked(0)
}
