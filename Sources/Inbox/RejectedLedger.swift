import Platform

/// What lies in `.rejected`, oldest first, and which of it has to go. A pure value.
struct RejectedLedger: Sendable {
    /// A rejected payload with its reason.
    struct Entry: Comparable, Sendable {
        /// When it was rejected.
        let at: Timestamp
        let file: PayloadFile
        /// Of payload and reason.
        let bytes: Int64

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.file) < (right.at, right.file) }
    }

    struct Limits: Sendable {
        var payloads = 1000
        /// Bytes.
        var bytes: Int64 = 64 << 20
        var age = Duration.seconds(7 * 86_400)
    }

    let limits: Limits
    private(set) var bytes: Int64 = 0
    private var entries: ArraySlice<Entry>

    init(_ entries: [Entry], limits: Limits = Limits()) {
        self.limits = limits
        self.entries = entries.sorted()[...]
        bytes = entries.reduce(0) { $0 + $1.bytes }
    }

    var count: Int { entries.count }

    /// Adds the newest.
    mutating func add(_ entry: Entry) {
        entries.append(entry)
        bytes += entry.bytes
    }

    /// Takes out what is over the limits, the oldest first.
    mutating func prune(at now: Timestamp) -> [Entry] {
        let oldest = now.milliseconds - Int64(limits.age / .milliseconds(1))
        var removed: [Entry] = []
        while let first = entries.first,
            entries.count > limits.payloads || bytes > limits.bytes || first.at.milliseconds < oldest
        {
            entries.removeFirst()
            bytes -= first.bytes
            removed.append(first)
        }
        return removed
    }
}
