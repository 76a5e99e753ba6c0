import Platform

/// What the scenario has been promised so far, by the number of steps that had been recorded at that time (0 where none
/// are).
final class Ledger: Sendable {
    private struct Entries {
        var kept: [(payload: Handed, since: Int)] = []
        var gone: [(stories: Set<String>, after: Int)] = []
    }

    private let entries = Locked(Entries())
    /// How many steps are recorded by now.
    private let steps: @Sendable () -> Int

    init(steps: @escaping @Sendable () -> Int = { 0 }) {
        self.steps = steps
    }

    /// The payload must not be lost from now on.
    func keep(_ payload: Handed) {
        let since = steps()
        entries.withLock { $0.kept.append((payload, since)) }
    }

    /// These may go from now on: say so before anything is done that makes them go.
    func letGo(_ stories: String...) {
        let after = steps()
        entries.withLock { $0.gone.append((Set(stories), after)) }
    }

    /// What must be there after so many steps: those promised by then.
    func kept(after steps: Int = .max) -> [Handed] {
        entries.withLock { entries in entries.kept.filter { $0.since <= steps }.map(\.payload) }
    }

    /// Stories that may be missing after so many steps.
    func gone(after steps: Int = .max) -> Set<String> {
        entries.withLock { entries in
            entries.gone.filter { $0.after < steps }.reduce(into: []) { $0.formUnion($1.stories) }
        }
    }
}
