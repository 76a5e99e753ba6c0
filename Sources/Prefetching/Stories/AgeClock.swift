import MediaCache
import Platform

/// The time by which stories age: the wall clock, as long as that goes on as time does. A jump of it is believed only
/// when it has stood for a day, so that a clock that is set wrong, ten years ahead, makes no story old at once; not by a
/// restart either. A plain value, owned by `Prefetcher`.
struct AgeClock: Sendable {
    /// Goes on while the machine sleeps.
    typealias Instant = ContinuousClock.Instant

    /// Between which times it is: no further apart than the wall clock is from what is believed.
    struct Reading: Equatable, Sendable {
        /// What is old is old by this one.
        let earliest: Timestamp
        /// What comes from the future does so by this one.
        let latest: Timestamp
    }

    /// A wall clock that has jumped.
    private struct Doubt {
        /// What it showed when that was seen first.
        let since: Timestamp
        /// Its last look; nil where that was taken by an earlier process.
        var last: (wall: Timestamp, instant: Instant)?
    }

    private var wall: Timestamp
    private var instant: Instant
    private var doubt: Doubt?
    /// The latest time that was shown, and when; what has come by then is not from the future for a day.
    private var furthest: (wall: Timestamp, instant: Instant)?
    /// The earliest time that a clock that was behind has shown, and when it did last; what has come by then is not old
    /// for a day. So it is with each start of a machine that has no clock of its own.
    private var lowest: (wall: Timestamp, instant: Instant)?

    /// Seconds that the clock may be put right by without being doubted.
    private static let tolerance = 3600.0
    /// Seconds.
    private static let day = 86_400.0
    /// Seconds between two processes, at most, that see the same jump.
    private static let absence = 30 * day

    /// Begins with what was believed last.
    init(_ memory: ClockMemory, at instant: Instant) {
        wall = memory.believed
        doubt = memory.doubtedSince.map { Doubt(since: $0) }
        self.instant = instant
    }

    /// What the next process is to begin with, as of the last look.
    var memory: ClockMemory { ClockMemory(believed: wall, doubtedSince: doubt?.since) }

    /// The time, where the wall clock shows `shown`.
    mutating func look(wall shown: Timestamp, at moment: Instant) -> Reading {
        let expected = Self.time(at: moment, from: (wall, instant))
        let latest = max(shown, expected, furthest(at: moment) ?? shown)
        if shown == latest { furthest = (shown, moment) }
        let isBelieved = Self.agree(shown, expected) || hasStood(shown, at: moment)
        if isBelieved { doubt = nil }
        if Self.seconds(from: expected, to: shown) < -Self.tolerance {
            lowest = (min(shown, lowest(at: moment) ?? shown), moment)
        }
        (wall, instant) = (isBelieved ? shown : expected, moment)
        return Reading(earliest: min(shown, wall, lowest(at: moment) ?? shown), latest: latest)
    }

    /// Whether the clock has jumped, and stood for a day since.
    private mutating func hasStood(_ shown: Timestamp, at moment: Instant) -> Bool {
        let since = doubt.flatMap { isSameJump($0, shown, at: moment) ? $0.since : nil } ?? shown
        doubt = Doubt(since: since, last: (shown, moment))
        return Self.seconds(from: since, to: shown) >= Self.day
    }

    private func isSameJump(_ doubt: Doubt, _ shown: Timestamp, at moment: Instant) -> Bool {
        if let last = doubt.last { return Self.agree(shown, Self.time(at: moment, from: last)) }
        return (-Self.tolerance...Self.absence).contains(Self.seconds(from: doubt.since, to: shown))
    }

    private func furthest(at moment: Instant) -> Timestamp? {
        guard let furthest, furthest.instant.duration(to: moment) < .seconds(Self.day) else { return nil }
        return furthest.wall
    }

    private func lowest(at moment: Instant) -> Timestamp? {
        guard let lowest, lowest.instant.duration(to: moment) < .seconds(Self.day) else { return nil }
        return lowest.wall
    }

    private static func time(at moment: Instant, from last: (wall: Timestamp, instant: Instant)) -> Timestamp {
        last.wall.advanced(bySeconds: last.instant.duration(to: moment) / .seconds(1))
    }

    private static func agree(_ one: Timestamp, _ other: Timestamp) -> Bool {
        abs(seconds(from: one, to: other)) <= tolerance
    }

    private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        Double(end.milliseconds - start.milliseconds) / 1000
    }
}
