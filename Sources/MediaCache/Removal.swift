/// What was removed from the cache.
package struct Removal: Sendable, Equatable {
    package var stories = 0
    /// Files under `objects/`.
    package var objects = 0
    /// The sizes of these together.
    package var bytes: Int64 = 0

    package init() {}

    package static func += (sum: inout Removal, other: Removal) {
        sum.stories += other.stories
        sum.objects += other.objects
        sum.bytes += other.bytes
    }

    /// Whether there is so much more room for it.
    package func frees(_ room: Room) -> Bool {
        let freed = Room(of: self)
        return freed.bytes >= room.bytes && freed.inodes >= room.inodes
    }
}
