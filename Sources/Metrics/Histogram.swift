/// How many of the durations measured so far were at most how long. A plain value; whoever measures owns it.
package struct Histogram: Sendable, Equatable {
    /// Upper bounds of the buckets in seconds, from what a cache answers to what a slow origin takes. Always the same: a
    /// change of them would break what others have drawn over time.
    package static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

    /// Measurements by the first bucket that holds them; the last is of those beyond all bounds.
    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// All durations together, in seconds.
    package private(set) var sum = 0.0

    package init() {}

    /// How many durations were measured.
    package var count: Int { counts.reduce(0, +) }

    /// Takes in one more. A negative one counts as none: a sum must never fall.
    package mutating func observe(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// Each bound with the number of durations up to it; the last bound is infinite.
    package var cumulative: [(bound: Double, count: Int)] {
        var total = 0
        return zip(Self.bounds + [.infinity], counts).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}
