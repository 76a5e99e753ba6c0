import MediaCache
import Platform
import Stories

// Which stories go. Pure: `now` comes in.

extension StoryTable {
    /// The story to give up next for room, of those that `mayGo`: a settled one, else one that is still under way; of
    /// these the oldest.
    func victim(now: Timestamp, where mayGo: (StoryRecord) -> Bool) -> StoryRecord? {
        var victim: StoryRecord?
        for record in all where victim.map({ goes(record, before: $0, now: now) }) != false && mayGo(record) {
            victim = record
        }
        return victim
    }

    private func goes(_ record: StoryRecord, before other: StoryRecord, now: Timestamp) -> Bool {
        if record.settled != other.settled { return record.settled }
        return EvictionRank(record.rank, now: now) < EvictionRank(other.rank, now: now)
    }

    /// The stories received before `moment`, and those from the future, in the order in which they are to go.
    func received(before moment: Timestamp, now: Timestamp) -> [StoryRecord] {
        all.map { (record: $0, rank: EvictionRank($0.rank, now: now)) }
            .filter { $0.rank.isFromFuture || $0.record.receivedAt < moment }
            .sorted { $0.rank < $1.rank }.map(\.record)
    }

    /// The stories of each container that are more than `limit`, oldest first.
    func beyond(_ limit: Int, now: Timestamp) -> [StoryRecord] {
        countsByContainer.filter { $0.value > limit }.flatMap { container, count in
            // One more than allowed, as after each acceptance: no need to sort them all.
            if count == limit + 1 { return oldest(in: container, now: now).map { [$0] } ?? [] }
            let records = all.filter { $0.container == container }
            return Array(
                records.sorted { EvictionRank($0.rank, now: now) < EvictionRank($1.rank, now: now) }
                    .prefix(count - limit))
        }
    }

    private func oldest(in container: Container, now: Timestamp) -> StoryRecord? {
        var oldest: (record: StoryRecord, rank: EvictionRank)?
        for record in all where record.container == container {
            let rank = EvictionRank(record.rank, now: now)
            if oldest.map({ rank < $0.rank }) != false { oldest = (record, rank) }
        }
        return oldest?.record
    }
}
