/// When a fetch that failed is tried again. A plain value; chance comes in from outside, so that tests can fix it.
///
/// Attempts follow each other within a *round*, exponentially apart with full jitter. A round that failed in a way that
/// may pass is followed by rest and another round, ever rarer, until the horizon.
package struct RetryPolicy: Sendable, Equatable {
    /// Attempts in a round, at least 1.
    package var maxAttempts: Int
    /// The longest wait before the second attempt; it doubles with each further one.
    package var base: Duration
    /// The longest wait between attempts, and the most that an origin's Retry-After is heeded.
    package var cap: Duration
    /// How long after a story came its pages get new rounds.
    package var horizon: Duration

    package init(maxAttempts: Int, base: Duration, cap: Duration, horizon: Duration) {
        self.maxAttempts = maxAttempts
        self.base = base
        self.cap = cap
        self.horizon = horizon
    }

    /// The wait after attempt number `attempt` (from 1) failed. Retry-After is a floor: the jitter comes on top, lest
    /// all clients of an origin return at the same moment. `chance` is in 0..<1.
    package func delay(afterAttempt attempt: Int, retryAfter: Duration?, chance: Double) -> Duration {
        let longest = min(cap, base * Self.doubling(attempt - 1))
        return min(max(retryAfter ?? .zero, .zero), cap) + longest * chance
    }

    /// The rest after round number `round` (from 1) failed: from 5 s to 15 min, the second half of it by chance, or
    /// more where Retry-After asks for more.
    package func rest(afterRound round: Int, retryAfter: Duration?, chance: Double) -> Duration {
        let half = min(Self.longestPause, .seconds(5) * Self.doubling(round - 1)) / 2
        return max(min(retryAfter ?? .zero, cap), half) + half * chance
    }

    /// No rest asked for by anybody is longer.
    var longestRest: Duration { max(cap, Self.longestPause) }

    private static let longestPause = Duration.seconds(900)

    private static func doubling(_ times: Int) -> Int { 1 << min(max(times, 0), 20) }
}
