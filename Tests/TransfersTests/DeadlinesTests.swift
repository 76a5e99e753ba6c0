import Testing

@testable import Transfers

/// When a transfer has taken too long.
struct DeadlinesTests {
    private let start = SuspendingClock.now

    private func deadlines() -> Deadlines {
        var options = TransferOptions()
        options.connectTimeout = .seconds(10)
        options.stallTimeout = .seconds(15)
        options.pageTimeout = .seconds(120)
        return Deadlines(options, at: start)
    }

    @Test func `a hop that does not get connected in time has failed to connect`() {
        let deadlines = deadlines()
        #expect(deadlines.expired(at: start + .seconds(9.9)) == nil)
        #expect(deadlines.expired(at: start + .seconds(10)) == .connect)
        #expect(deadlines.next == start + .seconds(10))
        #expect(deadlines.connectTime(at: start + .seconds(4)) == .seconds(6))
    }

    @Test func `the time for an answer counts from the request on`() {
        var deadlines = deadlines()
        deadlines.progress(connected: true, bytes: 0, at: start + .seconds(9))
        #expect(deadlines.expired(at: start + .seconds(23)) == nil)
        #expect(deadlines.expired(at: start + .seconds(24)) == .stall)
        #expect(deadlines.connectTime(at: start + .seconds(9)) == .zero)
    }

    @Test func `999 bytes in the window are a stall, 1,000 are not`() {
        var slow = deadlines()
        slow.progress(connected: true, bytes: 0, at: start)
        slow.progress(connected: true, bytes: 999, at: start + .seconds(14))
        #expect(slow.expired(at: start + .seconds(15)) == .stall)
        var steady = deadlines()
        steady.progress(connected: true, bytes: 0, at: start)
        steady.progress(connected: true, bytes: 1000, at: start + .seconds(14))
        #expect(steady.expired(at: start + .seconds(28)) == nil)
        #expect(steady.expired(at: start + .seconds(29)) == .stall)
    }

    @Test func `the page's time runs over all hops and however much comes`() {
        var deadlines = deadlines()
        for second in stride(from: 0, through: 110, by: 10) {
            deadlines.progress(connected: true, bytes: Int64(second) * 1000, at: start + .seconds(second))
            if second == 50 { deadlines.hop(at: start + .seconds(second)) }
        }
        #expect(deadlines.expired(at: start + .seconds(119)) == nil)
        #expect(deadlines.expired(at: start + .seconds(120)) == .page)
        #expect(deadlines.next == start + .seconds(120))
    }

    @Test func `time in which nothing ran counts toward nothing`() {
        var connecting = deadlines()
        connecting.postpone(by: .seconds(60))
        #expect(connecting.expired(at: start + .seconds(69)) == nil)
        #expect(connecting.expired(at: start + .seconds(70)) == .connect)
        var receiving = deadlines()
        receiving.progress(connected: true, bytes: 0, at: start)
        receiving.postpone(by: .seconds(200))
        #expect(receiving.expired(at: start + .seconds(214)) == nil)
    }

    @Test func `a loop that slept no longer than it meant to has no gap`() {
        var clock = TurnClock(at: start)
        clock.willSleep(.seconds(20), at: start)
        #expect(clock.gap(at: start + .seconds(3)) == nil)
        #expect(clock.gap(at: start + .seconds(20.9)) == nil)
        #expect(clock.gap(at: start + .seconds(80)) == .seconds(60))
    }

    @Test func `what came too fast is paid for by waiting`() {
        var rate = RateLimit(bytesPerSecond: 1000, at: start)
        rate.spend(500, at: start)
        rate.spend(1500, at: start + .seconds(0.1))
        #expect(rate.paidUntil == start + .seconds(2))
        // What was not used is not saved up.
        rate.spend(1000, at: start + .seconds(10))
        #expect(rate.paidUntil == start + .seconds(11))
        var none = RateLimit(bytesPerSecond: 0, at: start)
        none.spend(1_000_000, at: start)
        #expect(none.paidUntil == start)
    }

    @Test func `what is read at once is a share of the rate, and no less than a piece`() {
        #expect(RateLimit(bytesPerSecond: 1_000_000, at: start).share(of: 10) == 200_000)
        #expect(RateLimit(bytesPerSecond: 1000, at: start).share(of: 10) == RateLimit.leastShare)
        #expect(RateLimit(bytesPerSecond: 0, at: start).share(of: 10) == 0)
        #expect(RateLimit(bytesPerSecond: .max, at: start).share(of: 1) == .max)
    }
}
