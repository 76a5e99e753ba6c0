import CLinux
package import Glibc

/// An open directory: names are looked up in it and nowhere else, and no symbolic link is followed below it. Safe to
/// share; each call is one or two system calls and may block.
package final class Directory: Sendable {
    /// For messages only: what it was opened as.
    package let path: String
    package let descriptor: Descriptor

    private init(path: String, descriptor: Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens the directory at `path`; links on the way to it are followed, as for any path an operator writes.
    package static func open(_ path: String) throws(SystemError) -> Directory {
        let raw = try checked("open", path: path) { clinux_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0) }
        return Directory(path: path, descriptor: Descriptor(owning: raw, path: path))
    }

    /// Opens the directory at `path`, making it and those above it where they are not there: durably, as what is to last
    /// may be put there.
    package static func make(_ path: String, mode: mode_t) throws(SystemError) -> Directory {
        do {
            return try open(path)
        } catch {
            guard error.isMissing else { throw error }
        }
        // By bytes: a mark that follows a slash would make one character with it.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let step = DiskStep.makeDirectory(path, in: AT_FDCWD)
        var made = DiskSteps.take(step) { mkdir(path, mode) }
        if made != 0, errno == ENOENT, let slash, slash != path.startIndex {
            _ = try make(String(path[..<slash]), mode: mode)
            made = DiskSteps.take(step) { mkdir(path, mode) }
        }
        let failure = SystemError("mkdir", path: path)
        if made == 0, let slash {
            // Where names may be made but not be read, it cannot be opened.
            try (try? open(slash == path.startIndex ? "/" : String(path[..<slash])))?.synchronize()
        }
        // Whatever mkdir said, what counts is whether a directory is there now; but it said why there is none.
        do { return try open(path) } catch { throw made != 0 && error.isMissing ? failure : error }
    }

    /// Opens the directory `name` in this one; a link of that name is refused (`ELOOP` or `ENOTDIR`).
    package func directory(_ name: String) throws(SystemError) -> Directory {
        Directory(
            path: subpath(name),
            descriptor: try openFile(name, flags: O_RDONLY | O_DIRECTORY))
    }

    /// Opens the directory `name`, made with plain `mode` where it is not there: set-group-ID comes by inheritance
    /// (mkdir(2)), since asking for it may be forbidden. A new one is given to `group` where that may be done.
    package func makeDirectory(_ name: String, mode: mode_t, group: gid_t? = nil) throws(SystemError) -> Directory {
        do {
            return try directory(name)
        } catch {
            guard error.isMissing else { throw error }
        }
        let made =
            DiskSteps.take(.makeDirectory(name, in: descriptor.raw)) { mkdirat(descriptor.raw, name, mode) } == 0
        if !made, errno != EEXIST { throw SystemError("mkdir", path: subpath(name)) }
        let child = try directory(name)
        if made { try child.descriptor.adopt(group: group) }
        return child
    }

    /// Opens `name` with open(2)'s `flags` (close-on-exec and no-follow are added).
    package func openFile(_ name: String, flags: Int32, mode: mode_t = 0) throws(SystemError) -> Descriptor {
        let raw = try checked("open", path: subpath(name)) {
            if flags & O_CREAT == 0 { return clinux_openat(descriptor.raw, name, flags | O_NOFOLLOW, mode) }
            return DiskSteps.take(.create(name, in: descriptor.raw)) {
                clinux_openat(descriptor.raw, name, flags | O_NOFOLLOW, mode)
            }
        }
        return Descriptor(owning: raw, path: subpath(name))
    }

    /// Opens the file `name` for reading, if it is a regular one: a FIFO or a device of that name fails (`EINVAL`)
    /// instead of holding up the caller.
    package func openRegularFile(_ name: String) throws(SystemError) -> Descriptor {
        let file = try openFile(name, flags: O_RDONLY | O_NONBLOCK)
        guard try file.status().kind == .regular else {
            throw SystemError("open as a regular file", path: subpath(name), code: EINVAL)
        }
        return file
    }

    /// The metadata of `name` itself, not of what it may link to; nil where there is no such name.
    package func status(of name: String) throws(SystemError) -> FileStatus? {
        var value = stat()
        if fstatat(descriptor.raw, name, &value, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(value) }
        if errno == ENOENT { return nil }
        throw SystemError("stat", path: subpath(name))
    }

    /// Removes the file `name`; false where it was not there.
    @discardableResult
    package func remove(_ name: String) throws(SystemError) -> Bool {
        let removed = DiskSteps.take(.remove(name, in: descriptor.raw)) { unlinkat(descriptor.raw, name, 0) }
        if removed == 0 { return true }
        if errno == ENOENT { return false }
        throw SystemError("unlink", path: subpath(name))
    }

    /// Removes the empty directory `name`; false where it was not there or is not empty.
    @discardableResult
    package func removeDirectory(_ name: String) throws(SystemError) -> Bool {
        let removed = DiskSteps.take(.removeDirectory(name, in: descriptor.raw)) {
            unlinkat(descriptor.raw, name, AT_REMOVEDIR)
        }
        if removed == 0 { return true }
        if errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST { return false }
        throw SystemError("rmdir", path: subpath(name))
    }

    /// Moves `name` to `newName` in `destination`, in place of what has that name, rename(2).
    package func rename(_ name: String, to newName: String, in destination: Directory) throws(SystemError) {
        try checked("rename", path: subpath(name)) {
            DiskSteps.take(.rename(name, in: descriptor.raw, to: newName, within: destination.descriptor.raw)) {
                renameat(descriptor.raw, name, destination.descriptor.raw, newName)
            }
        }
    }

    /// Moves `name` to `newName` in `destination`; false where that name is taken, renameat2(2). On a filesystem that
    /// cannot do that in one step (NFS), the name is looked for first: enough where nobody else makes such names.
    package func renameNew(_ name: String, to newName: String, in destination: Directory) throws(SystemError) -> Bool {
        let renamed = DiskSteps.take(.rename(name, in: descriptor.raw, to: newName, within: destination.descriptor.raw))
        {
            clinux_rename_noreplace(descriptor.raw, name, destination.descriptor.raw, newName)
        }
        if renamed == 0 { return true }
        let failure = SystemError("rename", path: subpath(name))
        if failure.code == EEXIST { return false }
        guard failure.code == EINVAL else { throw failure }
        guard try destination.status(of: newName) == nil else { return false }
        try rename(name, to: newName, in: destination)
        return true
    }

    /// Waits until its names are on disk, fsync(2): what makes a rename durable.
    package func synchronize() throws(SystemError) {
        try checked("fsync", path: path) {
            DiskSteps.take(.synchronizeDirectory(descriptor.raw)) { fsync(descriptor.raw) }
        }
    }

    /// Calls `body` with each name but `.` and `..`, in the directory's own order, until it returns false. Names that
    /// are no UTF-8 can be looked up by nothing here: they are shown to `unreadable` alone, escaped, with whether they
    /// are a directory's where the filesystem says so, readdir(3).
    package func forEachName(
        unreadable: (_ escaped: String, _ isDirectory: Bool) -> Void = { _, _ in }, _ body: (String) -> Bool
    ) throws(SystemError) {
        // A descriptor of its own: the offset of a directory stream belongs to the open file description.
        let raw = try checked("open", path: path) { clinux_openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY, 0) }
        guard let stream = fdopendir(raw) else {
            let failure = SystemError("opendir", path: path)
            close(raw)
            throw failure
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError("readdir", path: path) }
                return
            }
            // SAFETY: readdir(3)'s entry is valid until the next call on this stream, and its name ends in a NUL within
            // `d_name`, NAME_MAX and one bytes.
            let isDirectory = entry.pointee.d_type == DT_DIR
            let (name, escaped) = withUnsafeBytes(of: &entry.pointee.d_name) { padded in
                let bytes = padded.prefix { $0 != 0 }
                let name = String(validating: bytes, as: UTF8.self)
                return (name, name == nil ? Self.escaped(bytes) : "")
            }
            guard let name else {
                unreadable(escaped, isDirectory)
                continue
            }
            if name != ".", name != "..", !body(name) { return }
        }
    }

    /// A name of any bytes in ASCII, all others as `\xff`: what a shell's `$'…'` takes.
    static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            if (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    /// All names, as `forEachName` gives them. For directories that are known to be small.
    package func names() throws(SystemError) -> [String] {
        var names: [String] = []
        try forEachName { name in
            names.append(name)
            return true
        }
        return names
    }

    /// Throws where the process may make no names in it: no right to, or a filesystem that is read-only, access(2).
    package func checkWritable() throws(SystemError) {
        try checked("write to", path: path) { faccessat(descriptor.raw, ".", W_OK | X_OK, AT_EACCESS) }
    }

    /// `name` in this directory, for messages.
    package func subpath(_ name: String) -> String {
        path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
    }
}
