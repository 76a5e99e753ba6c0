import Platform

/// The order in which stories are given up, the first being the least: the oldest; the greatest is the one to show. What seems to come from more than a
/// day ahead was received by a clock that was wrong: it goes before all others, or it would stay for years. A plain
/// value.
struct EvictionRank: Comparable, Sendable {
    let isFromFuture: Bool
    private let rank: StoryRank

    /// Seconds.
    static let day = 86_400.0

    init(_ rank: StoryRank, now: Timestamp) {
        isFromFuture = rank.receivedAt > now.advanced(bySeconds: Self.day)
        self.rank = rank
    }

    static func < (left: EvictionRank, right: EvictionRank) -> Bool {
        if left.isFromFuture != right.isFromFuture { return left.isFromFuture }
        return left.rank < right.rank
    }
}
