/// What failed and is tried again: each thing after 5 s at first, ever rarer, up to a minute, until it succeeds. A plain
/// value, owned by `Prefetcher`; few things are in it, and none while all is well.
struct Retries<Element: Hashable & Sendable>: Sendable {
    typealias Instant = SuspendingClock.Instant

    private var failed: [Element: (times: Int, due: Instant)] = [:]

    /// When the next try is due.
    var next: Instant? { failed.values.map(\.due).min() }

    /// What is to be tried now.
    func due(_ now: Instant) -> [Element] {
        failed.filter { $0.value.due <= now }.map(\.key)
    }

    /// Whether this is the first failure since a success: the one that is worth a line in the log.
    mutating func failed(_ element: Element, _ now: Instant) -> Bool {
        let times = (failed[element]?.times ?? 0) + 1
        failed[element] = (times, now.advanced(by: .seconds(min(5 * times, 60))))
        return times == 1
    }

    mutating func succeeded(_ element: Element) {
        failed[element] = nil
    }
}
