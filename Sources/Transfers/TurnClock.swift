/// Notices that the loop did not run although it should have: the process was stopped (SIGSTOP), or the machine was
/// too busy. Pure: the loop tells it what it is about to do and asks when it is back.
struct TurnClock {
    /// Shorter absences are everyday scheduling.
    static let tolerance: Duration = .seconds(1)

    private var due: SuspendingClock.Instant

    init(at now: SuspendingClock.Instant) {
        due = now
    }

    /// The loop will come back after `sleep` at most; zero: it goes to work that never takes long.
    mutating func willSleep(_ sleep: Duration, at now: SuspendingClock.Instant) {
        due = now + sleep
    }

    /// The loop is back: by how much it is late, beyond the tolerance.
    func gap(at now: SuspendingClock.Instant) -> Duration? {
        let late = now - due
        return late > Self.tolerance ? late : nil
    }
}
