/// Events that wait to be handed to their readers, each with a number of its own, so that who comes later is not told of
/// what was before. A plain value, owned by `EventHub`.
struct EventBacklog<Element: Sendable>: Sendable {
    /// What has come since the last time, in order: first those that are here, then so many that had no room.
    struct Batch: Sendable {
        let events: [Element]
        let missed: Int
        /// The number of the first.
        let first: Int

        /// What of it has come since `number`: the events from that place on, and how many were left out.
        func share(since number: Int) -> (start: Int, missed: Int) {
            let before = max(0, number - first)
            return (min(before, events.count), max(0, missed - max(0, before - events.count)))
        }
    }

    /// So many wait; beyond, events are left out for everybody.
    let capacity: Int
    private var events: [Element] = []
    private var missed = 0
    /// The number of the next event.
    private(set) var next = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func append(_ event: Element) {
        next += 1
        // Once one is left out so are all that follow, until what waits is taken: the order stays.
        if missed == 0, events.count < capacity { events.append(event) } else { missed += 1 }
    }

    /// Takes all that waits; nil where that is nothing.
    mutating func take() -> Batch? {
        guard !events.isEmpty || missed > 0 else { return nil }
        defer { (events, missed) = ([], 0) }
        return Batch(events: events, missed: missed, first: next - missed - events.count)
    }
}
