import MediaCache
import Stories

/// The records of all stories, and the newest of each container. A plain value, owned by `Prefetcher`.
struct StoryTable: Sendable {
    private var records: [StoryKey: StoryRecord] = [:]
    /// The story that each container's `latest.json` names.
    private(set) var latest: [Container: StoryKey] = [:]

    subscript(key: StoryKey) -> StoryRecord? { records[key] }

    var all: some Sequence<StoryRecord> { records.values }

    /// Remembers a story's newest revision. True where `latest.json` of its container has to name it now.
    mutating func update(_ record: StoryRecord) -> Bool {
        let former = records.updateValue(record, forKey: record.key)
        if let former, former.container != record.container { dropLatest(former) }
        guard record.isPresentable else {
            // A replaced story may be less presentable than the one before it.
            if latest[record.container] == record.key { chooseLatest(record.container) }
            return false
        }
        if let key = latest[record.container], key != record.key, let newest = records[key],
            !record.isNewer(than: newest)
        {
            return false
        }
        latest[record.container] = record.key
        return true
    }

    /// Forgets a story.
    mutating func remove(_ key: StoryKey) {
        guard let record = records.removeValue(forKey: key) else { return }
        dropLatest(record)
    }

    /// How many stories are in each state.
    func counts() -> [StoryState: Int] {
        records.values.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    private mutating func dropLatest(_ record: StoryRecord) {
        if latest[record.container] == record.key { chooseLatest(record.container) }
    }

    private mutating func chooseLatest(_ container: Container) {
        latest[container] =
            records.values.filter { $0.container == container && $0.isPresentable }
            .max { $1.isNewer(than: $0) }?.key
    }
}
