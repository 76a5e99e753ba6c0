package import Glibc

/// What stat(2) tells of a file.
package struct FileStatus: Sendable, Equatable {
    /// The kinds that anything here is decided by.
    package enum Kind: Sendable { case regular, directory, symbolicLink, other }

    package let kind: Kind
    /// Bytes.
    package let size: Int64
    /// Permission bits with set-user-ID, set-group-ID and sticky.
    package let mode: mode_t
    package let owner: uid_t
    package let group: gid_t
    package let device: UInt64
    package let inode: UInt64
    package let links: UInt64
    /// Last change of the content.
    package let modified: Timestamp

    init(_ value: stat) {
        switch value.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        case S_IFLNK: kind = .symbolicLink
        default: kind = .other
        }
        size = Int64(value.st_size)
        mode = value.st_mode & 0o7777
        owner = value.st_uid
        group = value.st_gid
        device = UInt64(value.st_dev)
        inode = UInt64(value.st_ino)
        links = UInt64(value.st_nlink)
        modified = Timestamp(seconds: Int64(value.st_mtim.tv_sec), nanoseconds: Int64(value.st_mtim.tv_nsec))
    }
}
