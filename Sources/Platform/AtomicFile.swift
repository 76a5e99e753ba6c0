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
        let temporary = temporaryName()
        let file = try temporaries.openFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        do {
            try file.adopt(group: group)
            if ignoresUmask { try file.setMode(mode) }
            try file.write(bytes)
            try file.synchronize()
            try temporaries.rename(temporary, to: name, in: directory)
        } catch {
            // The failure above is what counts; a temporary that cannot be removed now goes at the next start.
            _ = try? temporaries.remove(temporary)
            throw error
        }
        try directory.synchronize()
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
