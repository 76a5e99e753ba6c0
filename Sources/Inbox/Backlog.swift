/// Claims that wait in `.claimed`: those of an earlier run, then those that could not be taken when they were offered.
/// Only a few names are in memory; the directory holds the rest. A pure value.
struct Backlog: Sendable {
    /// Before claims that were put back are offered again: doubled each time in vain.
    static let firstDelay = Duration.seconds(5)
    static let longestDelay = Duration.seconds(60)

    private var sweep: Sweep<FileName>
    private var queue: [FileName] = []
    private var delay = firstDelay
    private var lastDue: SuspendingClock.Instant?
    /// Put back or unreadable since the sweep began.
    private var resting = 0
    /// When the next sweep is to begin; nil: not before it is asked for.
    private(set) var due: SuspendingClock.Instant?

    init(limit: Int = 4096) {
        sweep = Sweep(limit: limit)
        sweep.want()
    }

    /// The claims of the earlier run are not all offered yet: they come before any new one.
    var isFirstSweep: Bool { sweep.begun == 0 || sweep.begun == 1 && (sweep.isUnderWay || !queue.isEmpty) }

    /// Claims that wait, as far as is known.
    var pending: Int { queue.count + sweep.beyond + resting }

    /// Offers all claims again, soon.
    mutating func wantSweep() {
        sweep.want()
    }

    /// The claim could not be taken now.
    mutating func putBack(at now: SuspendingClock.Instant) {
        resting += 1
        guard due == nil else { return }
        // A long time without: whatever it was has passed, and this is something new.
        if let lastDue, lastDue.duration(to: now) > Self.longestDelay { delay = Self.firstDelay }
        due = now.advanced(by: delay)
        lastDue = due
        delay = min(delay * 2, Self.longestDelay)
    }

    /// The claim could not be read: it waits for a sweep that is asked for.
    mutating func rest() {
        resting += 1
    }

    /// Whether a pass through `.claimed` is to be made now.
    mutating func needsPass(at now: SuspendingClock.Instant) -> Bool {
        if let due, due <= now {
            self.due = nil
            sweep.want()
        }
        return queue.isEmpty && sweep.needsPass
    }

    mutating func beginPass() -> Sweep<FileName>.Pass {
        // What rests is met again, and counted anew.
        if !sweep.isUnderWay { resting = 0 }
        return sweep.beginPass()
    }

    mutating func end(_ pass: consuming Sweep<FileName>.Pass) {
        queue = sweep.end(pass).reversed()
    }

    /// The next claim to offer.
    mutating func next() -> FileName? {
        queue.popLast()
    }
}
