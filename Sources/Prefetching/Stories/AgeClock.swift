import Platform

/// The time by which stories age: the wall clock, as long as that goes on as time does. A jump of it is believed only
/// when it has stood for a day, so that a clock that is set wrong, ten years ahead, makes no story old at once. A plain
/// value, owned by `Prefetcher`.
struct AgeClock: Sendable {
    /// Goes on while the machine sleeps.
    typealias Instant = ContinuousClock.Instant

    private var wall: Timestamp
    private var instant: Instant

    /// Seconds that the clock may be put right by without being doubted.
    private static let tolerance = 3600.0
    private static let doubt = Duration.seconds(86_400)

    init(wall: Timestamp, at instant: Instant) {
        self.wall = wall
        self.instant = instant
    }

    /// The time, where the wall clock shows `shown`. Never later than that.
    mutating func now(wall shown: Timestamp, at moment: Instant) -> Timestamp {
        let elapsed = instant.duration(to: moment)
        let expected = wall.advanced(bySeconds: elapsed / .seconds(1))
        let jump = Double(shown.milliseconds - expected.milliseconds) / 1000
        if abs(jump) <= Self.tolerance || elapsed >= Self.doubt {
            wall = shown
            instant = moment
            return shown
        }
        return min(shown, expected)
    }
}
