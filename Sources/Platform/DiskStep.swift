package import Glibc

/// A call that changes the disk and is about to be made. Directories and files are those of open descriptors
/// (`AT_FDCWD` with an absolute path), the bytes are lent for the length of the call.
package enum DiskStep {
    /// open(2) with `O_CREAT`, of a name that may be there already; the call gives the descriptor.
    case create(String, in: Int32)
    /// write(2), which may take fewer bytes than these; nil: at the descriptor's offset.
    case write(UnsafeRawBufferPointer, to: Int32, at: off_t?)
    case truncate(Int32, to: off_t)
    /// fchmod(2), fchown(2).
    case changeAttributes(of: Int32)
    /// fsync(2) of a file.
    case synchronizeFile(Int32)
    /// fsync(2) of a directory.
    case synchronizeDirectory(Int32)
    case rename(String, in: Int32, to: String, within: Int32)
    case remove(String, in: Int32)
    case makeDirectory(String, in: Int32)
    case removeDirectory(String, in: Int32)
    /// A transaction of the index ends; what SQLite does for that with its files is its own.
    case commit
}
