import MediaCache
import Stories

/// For which stories the beginnings of downloads are kept on disk, by the keys of their URLs. What no story waits for any
/// more is to go. A plain value, owned by `Prefetcher`.
struct Leftovers: Sendable {
    private var stories: [String: Set<StoryKey>] = [:]

    var isEmpty: Bool { stories.isEmpty }

    /// Whether one may be kept.
    func contains(_ key: String) -> Bool { stories[key] != nil }

    /// One was to be kept for these stories, and that has changed so much.
    mutating func keep(_ key: String, for wanting: some Sequence<StoryKey>, _ change: KeptChange) {
        for key in change.gone { stories[key] = nil }
        if change.isKept { stories[key, default: []].formUnion(wanting) } else { forget(key) }
    }

    /// Nothing is kept for this key.
    mutating func forget(_ key: String) { stories[key] = nil }

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
