/// Whether the working loops are alive, by their answers to the same question. A plain value without a clock, owned by
/// `Supervision`.
struct Watchdog {
    /// Those that have been asked and have not answered yet.
    private var asked: Set<WorkingLoop> = []
    /// Those of them that somebody has been told of.
    private var named: Set<WorkingLoop> = []

    /// The loops that are to be asked now. None while an answer to the question before is still out.
    mutating func ask() -> [WorkingLoop] {
        guard asked.isEmpty else { return [] }
        asked = Set(WorkingLoop.allCases)
        return WorkingLoop.allCases
    }

    /// A loop has answered. True where all have now: this is the sign of life.
    mutating func answered(_ loop: WorkingLoop) -> Bool {
        guard asked.remove(loop) != nil else { return false }
        named.remove(loop)
        return asked.isEmpty
    }

    /// The loops that have not answered yet, each once until it does.
    mutating func newlySilent() -> [WorkingLoop] {
        let silent = WorkingLoop.allCases.filter { asked.contains($0) && !named.contains($0) }
        named.formUnion(silent)
        return silent
    }
}
