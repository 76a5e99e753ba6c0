import Platform

/// Which waiting payload is looked at next, and whether it is taken or left a while. Knows of at most a few thousand
/// files; what it does not know, the next sweep finds. A pure value: no file is touched here.
struct Intake: Sendable {
    /// How a file came to be known; the later ones tell more.
    enum Sighting: Comparable, Sendable {
        /// A scan found it: it may still be being written.
        case found
        /// Its name was made just now: linked, or opened by a writer whose close will be told.
        case created
        /// A writer closed it, or it was renamed into place: it is whole.
        case closed
    }

    /// What a look at the file itself tells.
    struct Look {
        /// Bytes.
        let size: Int64
        let links: UInt64
        let modified: Timestamp
    }

    enum Verdict: Equatable { case take, wait }

    /// How long the content must have been still before it is taken although it is empty or broken off.
    static let patience = Duration.seconds(5)
    /// The same where a writer is known to have the file open: its close is the sign, and this is only for a writer
    /// that hangs.
    static let writerPatience = Duration.seconds(60)

    private struct Record: Sendable {
        var sighting: Sighting
        var isQueued: Bool
        /// The sweep that saw it last.
        var sweep: Int
        /// The content's time when last looked at, and since when it has been that.
        var stillSince: (modified: Timestamp, at: SuspendingClock.Instant)?
        /// When to look again.
        var due: SuspendingClock.Instant?
    }

    private let limit: Int
    var payloadBytes: Int
    private var records: [PayloadFile: Record] = [:]
    /// Why files cannot be taken, for an operator; each has a record.
    private var refusals: [PayloadFile: String] = [:]
    /// Those whose record says `isQueued`, in order; others are passed over.
    private(set) var queue: [PayloadFile] = []
    private var head = 0
    private var queued = 0
    private var sweep: Sweep<Candidate>
    /// When a sweep is to find files that were left and not remembered.
    private var sweepDue: SuspendingClock.Instant?
    /// No later than the first `due` of all.
    private(set) var nextDue: SuspendingClock.Instant?

    /// At most `limit` files are queued and as many remembered for later. A file of more than `payloadBytes` is taken
    /// as it is: it can only be rejected.
    init(limit: Int = 4096, payloadBytes: Int) {
        self.limit = limit
        self.payloadBytes = payloadBytes
        sweep = Sweep(limit: limit)
        sweep.want()
    }
}

// What comes in: events and sweeps.
extension Intake {
    /// An event told of `file`. Where there is no place for it, or older files are still to be found, a sweep will
    /// find it in its turn.
    mutating func notice(_ file: PayloadFile, _ sighting: Sighting) {
        if records[file]?.isQueued == true {
            raise(file, to: sighting)
        } else if sweep.isUnderWay || queued >= limit {
            raise(file, to: sighting)
            sweep.want()
        } else {
            enqueue(file, sighting)
        }
    }

    /// The attributes of `file` changed: worth a look where it could not be taken before.
    mutating func noticeAttributes(_ file: PayloadFile) {
        if let record = records[file], !record.isQueued { notice(file, record.sighting) }
    }

    /// The file is gone or taken.
    mutating func forget(_ file: PayloadFile) {
        guard let record = records.removeValue(forKey: file) else { return }
        refusals[file] = nil
        if record.isQueued { queued -= 1 }
    }

    /// Asks for a sweep through all files: at a rescan, or when events were lost.
    mutating func wantSweep() {
        sweep.want()
    }

    /// Whether a pass through the directories is to be made now: nothing is left to look at, and there may be more.
    var needsPass: Bool { queued == 0 && sweep.needsPass }

    mutating func beginPass() -> Sweep<Candidate>.Pass {
        sweep.beginPass()
    }

    /// Takes what the pass kept. Where it was the last of its sweep, files that it did not meet are forgotten.
    mutating func end(_ pass: consuming Sweep<Candidate>.Pass) {
        for candidate in sweep.end(pass) { enqueue(candidate.file, .found) }
        guard !sweep.isUnderWay else { return }
        records = records.filter { $0.value.isQueued || $0.value.sweep == sweep.begun }
        refusals = refusals.filter { records[$0.key] != nil }
    }

    private mutating func enqueue(_ file: PayloadFile, _ sighting: Sighting) {
        var record = records[file] ?? Record(sighting: sighting, isQueued: false, sweep: sweep.begun)
        record.sighting = max(record.sighting, sighting)
        record.sweep = sweep.begun
        if !record.isQueued {
            record.isQueued = true
            queued += 1
            queue.append(file)
        }
        records[file] = record
        if queue.count >= 4 * limit { compact() }
    }

    /// Drops the places of files that went away: names that come and go must not fill the queue.
    private mutating func compact() {
        var kept: Set<PayloadFile> = []
        queue = queue[head...].filter { records[$0]?.isQueued == true && kept.insert($0).inserted }
        head = 0
    }

    private mutating func raise(_ file: PayloadFile, to sighting: Sighting) {
        guard var record = records[file] else { return }
        record.sighting = max(record.sighting, sighting)
        records[file] = record
    }
}

// What goes out: files to look at, and the verdict on each.
extension Intake {
    /// The next file to look at; `judge`, `refuse` or `forget` is to follow.
    mutating func next(at now: Moment) -> PayloadFile? {
        wake(at: now.steady)
        while head < queue.count {
            let file = queue[head]
            head += 1
            if head == queue.count { (queue, head) = ([], 0) }
            guard records[file]?.isQueued == true else { continue }
            records[file]?.isQueued = false
            queued -= 1
            return file
        }
        return nil
    }

    /// Whether `file` is taken now. Left alone are, for a while: an empty file, since its writer may have made the
    /// name first; and one that no writer is known to have closed and that `isWhole` finds broken off.
    mutating func judge(_ file: PayloadFile, _ look: Look, at now: Moment, isWhole: () -> Bool) -> Verdict {
        guard var record = records[file] else { return .take }
        if record.stillSince?.modified != look.modified { record.stillSince = (look.modified, now.steady) }
        // A time in the future, of a clock that jumped, counts as now: then only the steady clock tells.
        let age = Duration.milliseconds(now.wall.milliseconds - look.modified.milliseconds)
        let still = max(age, record.stillSince.map { $0.at.duration(to: now.steady) } ?? .zero)
        // A second name means that it was linked into place, and then nobody need have it open.
        let isBeingWritten = record.sighting == .created && look.links < 2
        let left = (isBeingWritten ? Self.writerPatience : Self.patience) - still
        let isReady =
            look.size > 0 && (record.sighting == .closed || look.size > Int64(payloadBytes) || isWhole())
        if left <= .zero || isReady {
            records[file] = record
            return .take
        }
        wait(file, record, until: now.steady.advanced(by: left))
        return .wait
    }

    /// `file` could not be taken; true where that was not known before. It is tried again when its attributes
    /// change and at each sweep.
    mutating func refuse(_ file: PayloadFile, _ reason: String) -> Bool {
        guard records[file] != nil else { return false }
        let isNews = refusals[file] == nil
        if isNews, remembered > limit {
            records[file] = nil
        } else {
            records[file]?.due = nil
            refusals[file] = reason
        }
        return isNews
    }

    /// Why files cannot be taken, in the order of their names; at most `count`.
    func refusals(_ count: Int) -> [String] {
        refusals.sorted { $0.key < $1.key }.prefix(count).map(\.value)
    }

    /// How many cannot be taken.
    var refused: Int { refusals.count }

    /// Files that are known to wait in the inbox.
    var pending: Int { records.count + sweep.beyond }

    /// Sweeps begun.
    var sweeps: Int { sweep.begun }

    private var remembered: Int { records.count - queued }

    private mutating func wait(_ file: PayloadFile, _ record: Record, until due: SuspendingClock.Instant) {
        nextDue = min(nextDue ?? due, due)
        if remembered > limit {
            // Too many to remember each: a sweep then finds those that are left.
            records[file] = nil
            sweepDue = min(sweepDue ?? due, due)
        } else {
            var record = record
            record.due = due
            records[file] = record
            refusals[file] = nil
        }
    }

    private mutating func wake(at now: SuspendingClock.Instant) {
        guard let nextDue, nextDue <= now else { return }
        if let sweepDue, sweepDue <= now {
            sweep.want()
            self.sweepDue = nil
        }
        for (file, record) in records.filter({ $0.value.due.map { $0 <= now } ?? false }).sorted(by: { $0.key < $1.key }
        ) {
            records[file]?.due = nil
            enqueue(file, record.sighting)
        }
        self.nextDue = ([sweepDue] + records.values.map(\.due)).compactMap(\.self).min()
    }
}
