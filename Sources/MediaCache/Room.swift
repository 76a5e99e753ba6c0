/// What something takes of a filesystem.
struct Room {
    var bytes: Int64 = 0
    var inodes: Int64 = 0

    /// As much as the larger of the two, of each.
    func union(_ other: Room) -> Room {
        Room(bytes: max(bytes, other.bytes), inodes: max(inodes, other.inodes))
    }
}
