import Platform

/// The parts of downloads that nobody writes to and that are to be gone on with, one for each key. A plain value, owned by
/// `CacheStorage`.
struct KeptPartials {
    /// One of them: a file in the `.partial/` of its container, with its notes beside it.
    struct Kept {
        let name: String
        let container: Container
        let notes: PartialNotes
        /// When it was last written to.
        let since: Timestamp
        /// Which of all that were added it is: one millisecond may have several.
        fileprivate(set) var number = 0
    }

    /// How many there are at most: each takes two inodes.
    static let most = 256
    /// Which share of the bytes that objects may take they take at most, beside these.
    static let share: Int64 = 8

    private var kept: [String: Kept] = [:]
    private var added = 0

    /// The keys of all.
    var keys: Set<String> { Set(kept.keys) }
    /// The names of all.
    var names: Set<String> { Set(kept.values.map(\.name)) }
    var all: some Collection<Kept> { kept.values }

    subscript(key: String) -> Kept? { kept[key] }

    /// Adds one; gives the one of the same key before, which it takes the place of.
    mutating func add(_ new: Kept) -> Kept? {
        var new = new
        added += 1
        new.number = added
        return kept.updateValue(new, forKey: new.notes.key)
    }

    mutating func remove(_ key: String) -> Kept? { kept.removeValue(forKey: key) }

    /// Takes out what is too much beside objects that may take `maxBytes`, the oldest first.
    mutating func trim(besides maxBytes: Int64) -> [Kept] {
        var bytes = kept.values.reduce(0) { $0 + $1.notes.bytes }
        var removed: [Kept] = []
        if bytes <= maxBytes / Self.share, kept.count <= Self.most { return removed }
        for one in kept.values.sorted(by: { ($0.since, $0.number) < ($1.since, $1.number) }) {
            guard bytes > maxBytes / Self.share || kept.count > Self.most else { break }
            kept[one.notes.key] = nil
            bytes -= one.notes.bytes
            removed.append(one)
        }
        return removed
    }
}
