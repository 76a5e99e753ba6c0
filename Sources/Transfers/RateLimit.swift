/// What all transfers together may receive in a second. A pure value, given the time: what has come too fast is paid
/// for by a time in which nothing comes.
///
/// libcurl has a limit for each transfer, but it begins to hold only after a second's worth has come, so that many
/// small pictures would pass it by; here that limit only bounds what is read at once.
struct RateLimit {
    typealias Instant = SuspendingClock.Instant

    /// Less is never read at once, in bytes.
    static let leastShare: Int64 = 16_384

    /// 0: no limit.
    private let bytesPerSecond: Int64
    /// Until then nothing more may come.
    private(set) var paidUntil: Instant

    init(bytesPerSecond: Int64, at now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        paidUntil = now
    }

    /// So many bytes have come.
    mutating func spend(_ bytes: Int64, at now: Instant) {
        guard bytesPerSecond > 0 else { return }
        paidUntil = max(paidUntil, now) + .seconds(Double(bytes) / Double(bytesPerSecond))
    }

    /// What one of `count` transfers may read at once, and in a second as libcurl counts it: twice its part, so that
    /// libcurl's own limit does not get in the way of this one. 0: no limit.
    func share(of count: Int) -> Int64 {
        guard bytesPerSecond > 0 else { return 0 }
        let (twice, overflow) = bytesPerSecond.multipliedReportingOverflow(by: 2)
        return max(Self.leastShare, (overflow ? .max : twice) / Int64(max(1, count)))
    }
}
