import CLinux
package import Glibc

/// An open file descriptor; closed when the last reference goes. Whoever holds it may use `raw` while it lives.
package final class Descriptor: Sendable {
    /// The number that the kernel knows it by.
    package let raw: Int32
    /// For messages only: what it was opened as, where it has a name.
    package let path: String?

    /// Takes over `raw`, which must be open and owned by nobody else.
    package init(owning raw: Int32, path: String? = nil) {
        self.raw = raw
        self.path = path
    }

    deinit {
        close(raw)
    }

    /// Writes all bytes at the current offset, write(2).
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        // SAFETY: the caller lends the bytes for the length of this call, and write(2) reads at most `rest.count` of them.
        while !rest.isEmpty {
            let count = try checked("write", path: path) {
                DiskSteps.take(.write(rest, to: raw, at: nil)) { Glibc.write(raw, rest.baseAddress, rest.count) }
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes all bytes at the current offset, write(2).
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var failure: SystemError?
        // SAFETY: the bytes are read within the call.
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Writes all bytes at `offset`, pwrite(2).
    package func write(_ bytes: [UInt8], at offset: off_t) throws(SystemError) {
        let count = try checked("write", path: path) {
            // SAFETY: the bytes are read within the call.
            bytes.withUnsafeBytes { bytes in
                DiskSteps.take(.write(bytes, to: raw, at: offset)) {
                    pwrite(raw, bytes.baseAddress, bytes.count, offset)
                }
            }
        }
        // A disk that is full takes the first of them, write(2).
        if count != bytes.count { throw SystemError("write", path: path, code: ENOSPC) }
    }

    /// Reads from the current offset to the end, at most `limit` bytes; nil where there are more than that.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let size = try max(0, status().size)
        guard size <= limit else { return nil }
        // One byte more than the file is said to have: the read that finds the end.
        bytes.reserveCapacity(Int(size) + 1)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try checked("read", path: path) { Glibc.read(raw, &chunk, chunk.count) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Its metadata, fstat(2).
    package func status() throws(SystemError) -> FileStatus {
        var value = stat()
        try checked("fstat", path: path) { fstat(raw, &value) }
        return FileStatus(value)
    }

    /// When it was made, statx(2); nil where its filesystem does not keep that.
    package var birthTime: Timestamp? {
        var (seconds, nanoseconds): (Int64, UInt32) = (0, 0)
        guard clinux_birth_time(raw, &seconds, &nanoseconds) == 1 else { return nil }
        return Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds))
    }

    /// Makes the file exactly `length` bytes long and goes to its end, ftruncate(2) and lseek(2).
    package func truncate(to length: Int64) throws(SystemError) {
        try checked("ftruncate", path: path) {
            DiskSteps.take(.truncate(raw, to: off_t(length))) { ftruncate(raw, off_t(length)) }
        }
        try checked("lseek", path: path) { lseek(raw, off_t(length), SEEK_SET) }
    }

    /// Waits until its bytes are on disk, fsync(2).
    package func synchronize() throws(SystemError) {
        try checked("fsync", path: path) { DiskSteps.take(.synchronizeFile(raw)) { fsync(raw) } }
    }

    /// Gives the file these permissions, fchmod(2).
    package func setMode(_ mode: mode_t) throws(SystemError) {
        try checked("fchmod", path: path) { DiskSteps.take(.changeAttributes(of: raw)) { fchmod(raw, mode) } }
    }

    /// Gives the file to `group` where that is another than it has. A group that may not be set is left as it is:
    /// a file must never be lost over its group (chown(2): only root or a member may).
    package func adopt(group: gid_t?) throws(SystemError) {
        guard let group, try status().group != group else { return }
        let changed = DiskSteps.take(.changeAttributes(of: raw)) { fchown(raw, uid_t.max, group) }
        guard changed != 0, errno != EPERM else { return }
        throw SystemError("fchown", path: path)
    }
}
