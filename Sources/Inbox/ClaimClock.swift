import Platform

/// The times of claims: of two, the later always has the later time, although many are made in one millisecond and the
/// wall clock may be set. A pure value.
struct ClaimClock: Sendable {
    /// By how many milliseconds the clock may go back and be stepped over; when it is set back further, it is followed.
    static let tolerance: Int64 = 5000

    private var last: Int64 = 0
    /// The latest that the clock has shown.
    private var seen: Int64 = 0

    /// The time of the next claim, made `now`.
    mutating func next(at now: Timestamp) -> Timestamp {
        let now = now.milliseconds
        if now < seen - Self.tolerance {
            last = max(0, now - 1)
            seen = now
        }
        seen = max(seen, now)
        last = max(now, last + 1)
        return Timestamp(milliseconds: last)
    }
}
