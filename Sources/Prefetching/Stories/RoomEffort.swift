/// How often room is made for one thing before it is given up: where a filesystem has nothing more free for what was
/// removed (others fill it, or a snapshot keeps it), whole stories would go for nothing, one after the other. A plain
/// value.
struct RoomEffort: Sendable {
    private var rounds = 0
    private var fruitless = 0

    private static let mostRounds = 8
    /// One may be chance: somebody else has written meanwhile.
    private static let mostFruitless = 2

    /// Whether another round may be taken.
    var goesOn: Bool { rounds < Self.mostRounds && fruitless < Self.mostFruitless }

    /// Notes a round that removed so many bytes. `free`: before and after it, where the filesystem is what lacks room.
    mutating func note(removed bytes: Int64, free: (before: Int64, after: Int64)?) {
        rounds += 1
        if let free, free.after - free.before < bytes / 2 { fruitless += 1 }
    }
}
