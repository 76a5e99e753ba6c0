import Stories

/// What origins have said is not there (404, 410): for a minute they are not asked again. A plain value, owned by
/// `Prefetcher`.
struct Absences: Sendable {
    typealias Instant = SuspendingClock.Instant

    static let life = Duration.seconds(60)
    private static let most = 4096

    private var known: [String: (error: PageError, until: Instant)] = [:]

    var count: Int { known.count }

    /// Notes how the transfer of `key` failed, where that is such an answer.
    mutating func note(_ key: String, _ error: PageError, at now: Instant) {
        guard error.httpStatus == 404 || error.httpStatus == 410 else { return }
        if known.count >= Self.most { known = known.filter { now < $0.value.until } }
        // So many at once are no accident; those that are forgotten are asked for again.
        if known.count >= Self.most { known = [:] }
        known[key] = (error, now.advanced(by: Self.life))
    }

    /// What the origin said of `key`, while it need not be asked again.
    func error(of key: String, at now: Instant) -> PageError? {
        guard let absence = known[key], now < absence.until else { return nil }
        return absence.error
    }
}
