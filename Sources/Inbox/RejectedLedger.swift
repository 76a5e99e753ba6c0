import Platform

/// What lies in `.rejected`, oldest first, and which of it has to go. A pure value.
struct RejectedLedger: Sendable {
    /// A rejected payload with its reason.
    struct Entry: Comparable, Sendable {
        /// When it was rejected.
        let at: Timestamp
        let file: PayloadFile
        /// Payload and reason, or one of them alone.
        let files: Int
        /// Of both.
        let bytes: Int64

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.file) < (right.at, right.file) }
    }

    struct Limits: Sendable {
        /// Payloads and reasons.
        var files = 1000
        /// Bytes.
        var bytes: Int64 = 64 << 20
        var age = Duration.seconds(7 * 86_400)
    }

    let limits: Limits
    private(set) var files: Int
    private(set) var bytes: Int64
    private var entries: ArraySlice<Entry>

    init(_ entries: [Entry], limits: Limits = Limits()) {
        self.limits = limits
        self.entries = entries.sorted()[...]
        files = entries.reduce(0) { $0 + $1.files }
        bytes = entries.reduce(0) { $0 + $1.bytes }
    }

    /// Adds the newest.
    mutating func add(_ entry: Entry) {
        entries.append(entry)
        files += entry.files
        bytes += entry.bytes
    }

    /// Takes out what is over the limits, or would be with so many more files and bytes, the oldest first.
    mutating func prune(
        at now: Timestamp, roomFor moreFiles: Int = 0, bytes moreBytes: Int64 = 0
    ) -> [Entry] {
        let oldest = now.milliseconds - Int64(limits.age / .milliseconds(1))
        var removed: [Entry] = []
        while let first = entries.first,
            files + moreFiles > limits.files || bytes + moreBytes > limits.bytes
                || first.at.milliseconds < oldest
        {
            entries.removeFirst()
            files -= first.files
            bytes -= first.bytes
            removed.append(first)
        }
        return removed
    }
}
