import Platform
import Testing

@testable import Prefetching

@Suite struct `The time by which stories age` {
    private let start = AgeClock.Instant.now
    private let wall = Timestamp(milliseconds: 1_800_000_000_000)

    private func shown(_ seconds: Double) -> Timestamp { wall.advanced(bySeconds: seconds) }

    @Test func `is the wall clock's, small corrections included`() {
        var clock = AgeClock(wall: wall, at: start)
        #expect(clock.now(wall: shown(60), at: start + .seconds(60)) == shown(60))
        #expect(clock.now(wall: shown(600), at: start + .seconds(120)) == shown(600))
        #expect(clock.now(wall: shown(100), at: start + .seconds(121)) == shown(100))
    }

    @Test func `does not follow a jump ahead until it has stood for a day`() {
        var clock = AgeClock(wall: wall, at: start)
        let years = 10 * 365 * 86_400.0
        #expect(clock.now(wall: shown(years), at: start + .seconds(5)) == shown(5))
        #expect(clock.now(wall: shown(years + 80_000), at: start + .seconds(80_000)) == shown(80_000))
        #expect(clock.now(wall: shown(90_000), at: start + .seconds(90_000)) == shown(90_000), "put right again")
        let later = start + .seconds(90_000 + 86_400)
        #expect(clock.now(wall: shown(years), at: later) == shown(years), "believed")
    }

    @Test func `is never later than the wall clock`() {
        var clock = AgeClock(wall: wall, at: start)
        #expect(clock.now(wall: shown(-1_000_000), at: start + .seconds(5)) == shown(-1_000_000))
        #expect(clock.now(wall: shown(10), at: start + .seconds(10)) == shown(10))
    }
}
