/// The groups whose payloads wait, since their container takes none, and why. A plain value, owned by `PayloadIntake`.
///
/// What waits is offered again every minute at the latest, and so a refusal renewed; one that has not been for two
/// minutes has nothing left to wait, and is forgotten.
struct Refusals: Sendable {
    typealias Instant = SuspendingClock.Instant

    private static let lifetime = Duration.seconds(120)

    private var reasons: [String: (message: String, renewed: Instant)] = [:]

    /// Whether that is news.
    mutating func note(_ message: String, for name: String, at now: Instant) -> Bool {
        forgetOld(now)
        return reasons.updateValue((message, now), forKey: name)?.message != message
    }

    mutating func end(for name: String) {
        reasons[name] = nil
    }

    /// Those that hold, by name.
    mutating func current(at now: Instant) -> [(name: String, message: String)] {
        forgetOld(now)
        return reasons.sorted { $0.key < $1.key }.map { ($0.key, $0.value.message) }
    }

    private mutating func forgetOld(_ now: Instant) {
        reasons = reasons.filter { $0.value.renewed.duration(to: now) < Self.lifetime }
    }
}
