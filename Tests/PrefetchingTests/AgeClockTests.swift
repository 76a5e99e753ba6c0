import MediaCache
import Platform
import Testing

@testable import Prefetching

@Suite struct `The time by which stories age` {
    private let start = AgeClock.Instant.now
    private let wall = Timestamp(milliseconds: 1_800_000_000_000)
    private static let day = 86_400.0
    private let years = 3650 * day

    private func shown(_ seconds: Double) -> Timestamp { wall.advanced(bySeconds: seconds) }

    private func clock(doubtedSince moment: Timestamp? = nil) -> AgeClock {
        AgeClock(ClockMemory(believed: wall, doubtedSince: moment), at: start)
    }

    /// What it takes for the time, by which stories are old, where so many seconds have passed.
    private func earliest(_ clock: inout AgeClock, showing moment: Timestamp, after seconds: Double) -> Timestamp {
        clock.look(wall: moment, at: start + .seconds(seconds)).earliest
    }

    @Test func `is the wall clock's, small corrections included`() {
        var clock = clock()
        for (moment, seconds) in [(60.0, 60.0), (600, 120), (100, 121)] {
            #expect(earliest(&clock, showing: shown(moment), after: seconds) == shown(moment))
        }
    }

    @Test func `does not follow a jump ahead until it has stood for a day`() {
        var clock = clock()
        #expect(earliest(&clock, showing: shown(years), after: 5) == shown(5))
        #expect(earliest(&clock, showing: shown(years + 80_000), after: 80_000) == shown(80_000))
        #expect(earliest(&clock, showing: shown(90_000), after: 90_000) == shown(90_000), "put right again")
        // From when it was seen, however long nobody has looked.
        let later = 90_000 + 2 * Self.day
        #expect(earliest(&clock, showing: shown(years), after: later) == shown(later))
        #expect(earliest(&clock, showing: shown(years + 80_000), after: later + 80_000) == shown(later + 80_000))
        let end = years + Self.day
        #expect(earliest(&clock, showing: shown(end), after: later + Self.day) == shown(end), "believed")
    }

    @Test func `begins to doubt anew with each jump`() {
        var clock = clock()
        #expect(earliest(&clock, showing: shown(years), after: 5) == shown(5))
        #expect(earliest(&clock, showing: shown(2 * years), after: 80_000) == shown(80_000))
        #expect(earliest(&clock, showing: shown(2 * years + 80_000), after: 160_000) == shown(160_000))
    }

    @Test func `doubts over a restart what was not believed before it`() {
        var first = clock()
        _ = first.look(wall: shown(years), at: start + .seconds(5))
        #expect(first.memory == ClockMemory(believed: shown(5), doubtedSince: shown(years)))
        var second = AgeClock(first.memory, at: start)
        #expect(earliest(&second, showing: shown(years + 60), after: 60) == shown(65))
        // It has gone on by a day between two processes: that is a day.
        var third = AgeClock(second.memory, at: start)
        #expect(earliest(&third, showing: shown(years + Self.day), after: 1) == shown(years + Self.day))
        // It is another clock, or has jumped again.
        for moment in [-years, 2 * years] {
            var other = clock(doubtedSince: shown(0.5 * years))
            #expect(earliest(&other, showing: shown(moment), after: 1) == shown(min(moment, 1)))
            #expect(other.memory.doubtedSince == shown(moment))
        }
    }

    @Test func `makes nothing old by a clock that is behind, and nothing of the future by one that was`() {
        var clock = clock()
        let behind = clock.look(wall: shown(-years), at: start + .seconds(5))
        #expect(behind == AgeClock.Reading(earliest: shown(-years), latest: shown(5)))
        // What has come meanwhile is not old because the clock was put right; not for a day.
        let right = clock.look(wall: shown(10), at: start + .seconds(10))
        #expect(right == .init(earliest: shown(-years), latest: shown(10)))
        let later = clock.look(wall: shown(Self.day + 6), at: start + .seconds(Self.day + 6))
        #expect(later == .init(earliest: shown(Self.day + 6), latest: shown(Self.day + 6)))
    }

    @Test func `leaves what a clock that was ahead has received its day`() {
        var clock = clock()
        _ = clock.look(wall: shown(years), at: start + .seconds(5))
        #expect(clock.look(wall: shown(10), at: start + .seconds(10)).latest == shown(years))
        let moment = start + .seconds(Self.day + 6)
        #expect(clock.look(wall: shown(Self.day + 6), at: moment).latest == shown(Self.day + 6))
    }

    @Test func `is kept as text`() {
        for memory in [
            ClockMemory(believed: wall, doubtedSince: nil), ClockMemory(believed: wall, doubtedSince: shown(years)),
        ] {
            #expect(ClockMemory(memory.description) == memory)
        }
        for text in ["", "x y", "\(wall)", "yesterday -"] { #expect(ClockMemory(text) == nil) }
    }
}
