import MediaCache
import Stories

/// The records of all stories, and the newest of each container. A plain value, owned by `Prefetcher`.
struct StoryTable: Sendable {
    private var records: [StoryKey: StoryRecord] = [:]
    /// The story that each container's `latest.json` names.
    private(set) var latest: [Container: StoryKey] = [:]
    /// How many stories are in each container.
    private(set) var countsByContainer: [Container: Int] = [:]

    subscript(key: StoryKey) -> StoryRecord? { records[key] }

    var all: some Sequence<StoryRecord> { records.values }

    /// The containers that stories are in.
    var containers: Set<Container> { Set(records.values.map(\.container)) }

    /// Remembers a story's newest revision. Answers the containers whose `latest.json` has to be written, or removed,
    /// for that.
    mutating func update(_ record: StoryRecord) -> [Container] {
        var outdated: [Container] = []
        let former = records.updateValue(record, forKey: record.key)
        count(record.container, 1)
        if let former { count(former.container, -1) }
        if let former, former.container != record.container, latest[former.container] == record.key {
            chooseLatest(former.container)
            outdated.append(former.container)
        }
        let newest = latest[record.container]
        if newest == record.key, !record.isPresentable || former.map({ $0.rank > record.rank }) == true {
            // The story that replaced another may be less presentable than that, or older where the clock was set back.
            chooseLatest(record.container)
            outdated.append(record.container)
        } else if record.isPresentable, newest.flatMap({ records[$0] }).map({ $0.rank > record.rank }) != true {
            latest[record.container] = record.key
            outdated.append(record.container)
        }
        return outdated
    }

    /// Forgets a story. Answers whether the `latest.json` of its container has to be written, or removed, for that.
    mutating func remove(_ key: StoryKey) -> Bool {
        guard let record = records.removeValue(forKey: key) else { return false }
        count(record.container, -1)
        guard latest[record.container] == key else { return false }
        chooseLatest(record.container)
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

    private mutating func chooseLatest(_ container: Container) {
        latest[container] =
            records.values.filter { $0.container == container && $0.isPresentable }
            .max { $0.rank < $1.rank }?.key
    }
}
