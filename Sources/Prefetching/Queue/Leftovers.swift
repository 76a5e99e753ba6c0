import Stories

/// For which stories the beginnings of downloads are kept on disk, by the keys of their URLs. What no story waits for any
/// more is to go. A plain value, owned by `Prefetcher`.
struct Leftovers: Sendable {
    private var stories: [String: Set<StoryKey>] = [:]

    var isEmpty: Bool { stories.isEmpty }

    /// Whether one may be kept.
    func contains(_ key: String) -> Bool { stories[key] != nil }

    /// One is kept for these stories; `all` are the keys of all that are kept, this one or not.
    mutating func keep(_ key: String, for wanting: some Sequence<StoryKey>, of all: Set<String>) {
        stories = stories.filter { all.contains($0.key) }
        if all.contains(key) { stories[key, default: []].formUnion(wanting) }
    }

    /// These were found on disk, each for the stories that were found to want it.
    mutating func find(_ found: [String: Set<StoryKey>]) {
        stories.merge(found) { $0.union($1) }
    }

    /// Forgets those that nobody wants; answers their keys.
    mutating func release(where isWanted: (String, Set<StoryKey>) -> Bool) -> [String] {
        let unwanted = stories.filter { !isWanted($0.key, $0.value) }.map(\.key)
        for key in unwanted { stories[key] = nil }
        return unwanted
    }
}
