import Glibc
import Platform

/// What a filesystem has left for the daemon's user, statvfs(3). A value of one moment.
struct FreeSpace {
    let bytes: Int64
    /// The greatest number there is where the filesystem counts no inodes.
    let inodes: Int64
    /// What a few manifests take: little, also of a small filesystem.
    let bytesForManifests: Int64
    /// A manifest is written beside the one before, and a new story has a directory.
    static let inodesForManifests: Int64 = 4

    /// Looks at the filesystem that `directory` is on.
    init(of directory: Directory) throws(SystemError) {
        var space = statvfs()
        try checked("statvfs", path: directory.path) { fstatvfs(directory.descriptor.raw, &space) }
        func bytes(_ blocks: fsblkcnt_t) -> Int64 {
            let (product, overflows) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(space.f_frsize))
            return overflows ? .max : Int64(clamping: product)
        }
        self.bytes = bytes(space.f_bavail)
        bytesForManifests = min(65_536, bytes(space.f_blocks) / 32)
        // A filesystem that counts none says that it has none at all.
        inodes = space.f_files == 0 ? .max : Int64(clamping: space.f_favail)
    }
}
