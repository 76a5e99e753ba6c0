import MediaCache
import Platform
import Stories

// Which stories go. Pure: `now` comes in.

extension StoryTable {
    /// The story to give up next for room, of those that `mayGo`: a settled one, else one that is still under way; of
    /// these the oldest.
    func victim(now: Timestamp, where mayGo: (StoryRecord) -> Bool) -> StoryRecord? {
        let candidates = all.filter(mayGo)
        let settled = candidates.filter(\.settled)
        return (settled.isEmpty ? candidates : settled)
            .min { EvictionRank($0.rank, now: now) < EvictionRank($1.rank, now: now) }
    }

    /// The stories received before `moment`, oldest first.
    func received(before moment: Timestamp) -> [StoryRecord] {
        all.filter { $0.receivedAt < moment }.sorted { $0.rank < $1.rank }
    }

    /// The stories of each container that are more than `limit`, oldest first.
    func beyond(_ limit: Int, now: Timestamp) -> [StoryRecord] {
        countsByContainer.filter { $0.value > limit }.flatMap { container, count in
            let records = all.filter { $0.container == container }
            let oldest = { (left: StoryRecord, right: StoryRecord) in
                EvictionRank(left.rank, now: now) < EvictionRank(right.rank, now: now)
            }
            // One more than allowed, as after each acceptance: no need to sort them all.
            if count == limit + 1 { return records.min(by: oldest).map { [$0] } ?? [] }
            return Array(records.sorted(by: oldest).prefix(count - limit))
        }
    }
}
