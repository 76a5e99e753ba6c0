/// What something takes of a filesystem.
package struct Room: Sendable, Equatable {
    var bytes: Int64 = 0
    var inodes: Int64 = 0

    init(bytes: Int64 = 0, inodes: Int64 = 0) {
        self.bytes = bytes
        self.inodes = inodes
    }

    /// What a removal makes free on a filesystem: a story's manifest takes a block, and an inode beside its directory's.
    init(of removal: Removal) {
        bytes = removal.bytes + 4096 * Int64(removal.stories)
        inodes = Int64(removal.objects) + 2 * Int64(removal.stories)
    }

    /// As much as the larger of the two, of each.
    func union(_ other: Room) -> Room {
        Room(bytes: max(bytes, other.bytes), inodes: max(inodes, other.inodes))
    }
}
