import MediaCache
import Platform
import Stories

/// The records of all stories, and the newest of each container. A plain value, owned by `Prefetcher`.
struct StoryTable: Sendable {
    private var records: [StoryKey: StoryRecord] = [:]
    /// The story that each container's `latest.json` names.
    private(set) var latest: [Container: StoryKey] = [:]
    /// How many stories are in each container.
    private(set) var countsByContainer: [Container: Int] = [:]
    /// What the wall clock showed at the last update.
    private var lastUpdate: Timestamp?

    subscript(key: StoryKey) -> StoryRecord? { records[key] }

    var all: some Sequence<StoryRecord> { records.values }

    /// The containers that stories are in.
    var containers: Set<Container> { Set(records.values.map(\.container)) }

    /// Remembers a story's newest revision. Answers the containers whose `latest.json` has to be written, or removed,
    /// for that; `now` is what the wall clock shows.
    mutating func update(_ record: StoryRecord, now: Timestamp) -> [Container] {
        var outdated = chooseAllAgainIfJumped(now)
        let former = records.updateValue(record, forKey: record.key)
        count(record.container, 1)
        if let former { count(former.container, -1) }
        if let former, former.container != record.container, latest[former.container] == record.key {
            chooseLatest(former.container, now)
            outdated.append(former.container)
        }
        let newest = latest[record.container]
        let newestRank = newest.flatMap { records[$0] }.map { EvictionRank($0.rank, now: now) }
        if newest == record.key, !record.isPresentable || former.map({ $0.rank > record.rank }) == true {
            // The story that replaced another may be less presentable than that, or older where the clock was set back.
            chooseLatest(record.container, now)
            outdated.append(record.container)
        } else if record.isPresentable, newestRank.map({ $0 > EvictionRank(record.rank, now: now) }) != true {
            latest[record.container] = record.key
            outdated.append(record.container)
        }
        return outdated
    }

    /// Forgets a story. Answers whether the `latest.json` of its container has to be written, or removed, for that.
    mutating func remove(_ key: StoryKey, now: Timestamp) -> Bool {
        guard let record = records.removeValue(forKey: key) else { return false }
        count(record.container, -1)
        guard latest[record.container] == key else { return false }
        chooseLatest(record.container, now)
        return true
    }

    /// How many stories are in each state.
    func counts() -> [StoryState: Int] {
        records.values.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    private mutating func count(_ container: Container, _ change: Int) {
        let count = countsByContainer[container, default: 0] + change
        countsByContainer[container] = count > 0 ? count : nil
    }

    /// Where the clock was set, another story may be the one to show: what came from the future does no more, or does
    /// now. Answers the containers where that is so.
    private mutating func chooseAllAgainIfJumped(_ now: Timestamp) -> [Container] {
        let seconds = Double(now.milliseconds - (lastUpdate ?? now).milliseconds) / 1000
        lastUpdate = now
        guard abs(seconds) >= EvictionRank.day else { return [] }
        return latest.compactMap { container, former in
            chooseLatest(container, now)
            return latest[container] == former ? nil : container
        }
    }

    private mutating func chooseLatest(_ container: Container, _ now: Timestamp) {
        latest[container] =
            records.values.filter { $0.container == container && $0.isPresentable }
            .max { EvictionRank($0.rank, now: now) < EvictionRank($1.rank, now: now) }?.key
    }
}
