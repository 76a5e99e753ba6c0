import Prefetching
import Testing

@Suite struct `When a failed fetch is tried again` {
    private let policy = RetryPolicy(maxAttempts: 4, base: .seconds(1), cap: .seconds(60), horizon: .seconds(3600))

    @Test func `the wait doubles up to the cap, all of it by chance`() {
        let longest = (1...8).map { policy.delay(afterAttempt: $0, retryAfter: nil, chance: 0.5) * 2 }
        #expect(longest == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(policy.delay(afterAttempt: 3, retryAfter: nil, chance: 0) == .zero)
    }

    @Test func `Retry-After is a floor with chance on top, and no more than the cap`() {
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(2), chance: 0) == .seconds(2))
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(2), chance: 0.5) == .seconds(2.5))
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(1_000_000_000), chance: 0) == .seconds(60))
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(-5), chance: 0) == .zero)
        #expect(policy.rest(afterRound: 1, retryAfter: .seconds(40), chance: 0) == .seconds(40))
        #expect(policy.rest(afterRound: 1, retryAfter: .seconds(40), chance: 0.5) == .seconds(41.25))
    }

    @Test func `rests grow from seconds to a quarter of an hour`() {
        let rests = (1...10).map { policy.rest(afterRound: $0, retryAfter: nil, chance: 0) * 2 }
        #expect(rests == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900].map { .seconds($0) })
        #expect(policy.rest(afterRound: 1_000_000, retryAfter: nil, chance: 0) == .seconds(450))
    }

    @Test func `extreme options stay finite`() {
        let policy = RetryPolicy(maxAttempts: 1, base: .seconds(0.01), cap: .seconds(86_400), horizon: .zero)
        #expect(policy.delay(afterAttempt: .max, retryAfter: nil, chance: 0.999) <= .seconds(86_400))
    }
}
