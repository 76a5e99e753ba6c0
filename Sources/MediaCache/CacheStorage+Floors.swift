import Platform

extension CacheStorage {
    /// Bytes that the container's filesystem has left; nil where it cannot be seen.
    package func freeBytes(in container: Container) -> Int64? {
        guard let directory = try? ContainerDirectory.open(container, options) else { return nil }
        return try? FreeSpace(of: directory.root).bytes
    }

    /// Fails with `noSpace` where the container's filesystem would have less left than objects leave free, if `room`
    /// more were taken. They leave what the options say, and always what a few manifests take: these tell that there
    /// was no room for pictures.
    func checkFloors(_ directory: ContainerDirectory, beside room: Room = Room()) throws(CacheFailure) {
        let free = try classified { () throws(SystemError) in try FreeSpace(of: directory.root) }
        let path = directory.root.path
        let keptBytes = max(options.minFreeBytes, free.bytesForManifests)
        guard free.bytes - room.bytes >= keptBytes else {
            throw CacheFailure(
                .noSpace, "\(path): \(free.bytes) bytes free, \(keptBytes) are kept",
                lacking: Room(bytes: keptBytes + room.bytes - free.bytes))
        }
        let keptInodes = max(options.minFreeInodes, FreeSpace.inodesForManifests)
        guard free.inodes - room.inodes >= keptInodes else {
            throw CacheFailure(
                .noSpace, "\(path): \(free.inodes) inodes free, \(keptInodes) are kept",
                lacking: Room(inodes: keptInodes + room.inodes - free.inodes))
        }
    }
}
