/// Notices that the loop did not run although it should have: the process was stopped (SIGSTOP), or the machine was
/// too busy. Pure: the loop tells it when each turn ends and how long it may sleep before the next.
struct TurnClock {
    /// Shorter absences are everyday scheduling.
    static let tolerance: Duration = .seconds(1)

    private var due: SuspendingClock.Instant

    init(at now: SuspendingClock.Instant) {
        due = now
    }

    /// A turn ends, and the loop will sleep for `sleep` at most.
    mutating func willSleep(_ sleep: Duration, at now: SuspendingClock.Instant) {
        due = now + sleep
    }

    /// A turn begins: by how much it is late, beyond the tolerance.
    func gap(at now: SuspendingClock.Instant) -> Duration? {
        let late = now - due
        return late > Self.tolerance ? late : nil
    }
}
