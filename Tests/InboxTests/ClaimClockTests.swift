import Platform
import Testing

@testable import Inbox

struct ClaimClockTests {
    /// What the clock gives when the wall shows `times`, in milliseconds.
    private func claims(_ times: [Int64]) -> [Int64] {
        var clock = ClaimClock()
        return times.map { clock.next(at: Timestamp(milliseconds: $0)).milliseconds }
    }

    @Test("claims of one millisecond have times one apart, and the wall clock is taken up again")
    func order() {
        #expect(claims([9000, 9000, 9000, 9001, 9010]) == [9000, 9001, 9002, 9003, 9010])
    }

    @Test("a clock set back a little is stepped over, one set back far is followed")
    func setBack() {
        #expect(claims([90_000, 86_000, 85_000, 90_001]) == [90_000, 90_001, 90_002, 90_003])
        #expect(claims([90_000, 20_000, 20_000, 90_000]) == [90_000, 20_000, 20_001, 90_000])
    }

    @Test("many more claims than milliseconds stay in order")
    func flood() {
        let claims = claims([Int64](repeating: 90_000, count: 20_000))
        #expect(claims.last == 109_999)
        #expect(zip(claims, claims.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("a clock before 1970 gives times after it")
    func early() {
        #expect(claims([-90_000, -90_000, -80_000]) == [1, 2, 3])
    }
}
