import Glibc
import Platform

/// What the thread `inbox` runs, and the only owner of the inbox's files and state: obeys the mailbox, takes the
/// kernel's events, and keeps as many claims out as may be. What is looked at when is decided by `Intake` and
/// `Backlog`; this does what they say.
struct InboxLoop: Sendable {
    /// After this many files the mailbox and the events get their turn.
    static let stepsPerTurn = 256

    let log: Log
    let isWhole: @Sendable ([UInt8]) -> Bool
    let whenRejected: @Sendable (Rejection) -> Void
    let claims: AsyncStream<Claim>.Continuation
    private let mailbox: InboxMailbox
    private let report: Locked<InboxReport>

    var options: InboxOptions
    var watches: Watches
    /// Nil while the inbox is not there.
    var folders: InboxFolders?
    var intake: Intake
    var backlog = Backlog()
    /// Claims that are out and unanswered.
    var out: Set<FileName> = []
    var statistics = InboxStatistics()
    /// Folders that may not be read.
    var folderTroubles = Troubles()
    /// Claims that may not be read.
    var claimTroubles = Troubles()
    /// Why the inbox is not there.
    var missing: String?
    /// Why answered claims stay in the inbox.
    var unwritable: String?
    /// Claims made by this run, for their names.
    var claimCount = 0
    var claimClock = ClaimClock()
    /// Whether a claim that waits goes before a file, where there are both.
    private var isBacklogsTurn = false
    private var nextRescan: SuspendingClock.Instant

    /// Makes the inbox where it is not there, watches it and takes stock of what it keeps.
    init(
        options: InboxOptions, log: Log, isWhole: @escaping @Sendable ([UInt8]) -> Bool,
        whenRejected: @escaping @Sendable (Rejection) -> Void, mailbox: InboxMailbox,
        claims: AsyncStream<Claim>.Continuation, report: Locked<InboxReport>
    ) throws(SystemError) {
        self.options = options
        self.log = log
        self.isWhole = isWhole
        self.whenRejected = whenRejected
        self.mailbox = mailbox
        self.claims = claims
        self.report = report
        _ = try Directory.make(options.path, mode: InboxFolders.inboxMode)
        watches = try Watches(path: options.path)
        _ = watches.watchInbox()
        folders = try InboxFolders(options)
        intake = Intake(payloadBytes: options.payloadBytes)
        nextRescan = SuspendingClock().now.advanced(by: options.rescanInterval)
    }

    /// Looks through the inbox for the first time, and tells what waits there.
    mutating func takeStock() {
        if let folders { lookWhereNeeded(folders, at: .now()) }
    }

    /// Runs until the mailbox says stop.
    mutating func run() {
        while obey(mailbox.take()) {
            takeEvents()
            rescanIfDue()
            let isPaused = work()
            publish()
            if !isPaused { sleep() }
        }
        publish()
        claims.finish()
    }

    /// False where it is to stop.
    private mutating func obey(_ messages: [InboxMailbox.Message]) -> Bool {
        // What follows a stop is answered too.
        for case .ping(let answer) in messages { answer.resume() }
        for message in messages {
            switch message {
            case .accept(let claim): accept(claim)
            case .reject(let claim, let code, let message): reject(claim, code: code, message: message)
            case .putBack(let claim): putBack(claim)
            case .rescan: rescan()
            case .reload(let options): reload(options)
            case .ping: break
            case .stop: return false
            }
        }
        return true
    }

    private mutating func reload(_ new: InboxOptions) {
        let old = options
        options = new
        options.path = old.path
        intake.payloadBytes = new.payloadBytes
        nextRescan = min(nextRescan, SuspendingClock().now.advanced(by: new.rescanInterval))
        if new.keepProcessed != old.keepProcessed, folders != nil { openFolders() }
    }

    private mutating func rescanIfDue() {
        if SuspendingClock().now >= nextRescan { rescan() }
    }

    private mutating func rescan() {
        nextRescan = SuspendingClock().now.advanced(by: options.rescanInterval)
        if folders?.areCurrent(options.path) != true || !watches.isInboxWatched { openInbox(make: true) }
        do throws(SystemError) {
            try folders?.rejected.takeStock(at: .now())
        } catch {
            log.warning("inbox: \(error)")
        }
        intake.wantSweep()
        backlog.wantSweep()
    }

    /// Sends out claims until there are enough or nothing is left; true where it paused before.
    private mutating func work() -> Bool {
        for _ in 0..<Self.stepsPerTurn {
            guard let folders else { return false }
            let now = Moment.now()
            lookWhereNeeded(folders, at: now)
            guard out.count < options.maximumClaims else { return false }
            isBacklogsTurn = backlog.isFirstSweep || !isBacklogsTurn
            let didWork =
                isBacklogsTurn
                ? offerNextClaim(folders) || takeNextFile(folders, at: now)
                : takeNextFile(folders, at: now) || offerNextClaim(folders)
            if !didWork, !intake.needsPass { return false }
        }
        return true
    }

    private mutating func lookWhereNeeded(_ folders: InboxFolders, at now: Moment) {
        if backlog.needsPass(at: now.steady) { lookThroughClaims(folders) }
        if intake.needsPass {
            lookThroughInbox(folders)
            // What waits is told before the first of it goes out.
            publish()
        }
    }

    /// Waits for an event, a message or the next thing due.
    private func sleep() {
        var next = nextRescan
        if folders != nil {
            if out.count < options.maximumClaims, let due = intake.nextDue { next = min(next, due) }
            if let due = backlog.due { next = min(next, due) }
        }
        let left = SuspendingClock().now.duration(to: next) / .milliseconds(1)
        var entries = [
            pollfd(fd: mailbox.flag.descriptor.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watches.descriptor.raw, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up: a millisecond early would be a turn in vain. A signal that interrupts costs one as well.
        poll(&entries, 2, Int32(min(max(0, left.rounded(.up)), 3_600_000)))
    }

    private func publish() {
        var report = InboxReport(statistics: statistics)
        report.statistics.pending = intake.pending + backlog.pending + out.count
        report.statistics.rescans = max(0, intake.sweeps - 1)
        report.problems = problems
        self.report.withLock { [report] in $0 = report }
    }

    private var problems: [InboxProblem] {
        var problems: [InboxProblem] = []
        if let missing { problems.append(InboxProblem(code: .missing, message: missing)) }
        if let unwritable {
            problems.append(
                InboxProblem(
                    code: .unwritable,
                    message:
                        "\(options.path): payloads that have been answered cannot be removed: \(unwritable). Let the "
                        + "daemon's user write there; until then they are answered again and again"))
        }
        if watches.isIncomplete {
            problems.append(
                InboxProblem(
                    code: .unwatched,
                    message: "\(options.path): not everything can be watched (fs.inotify.max_user_watches); "
                        + "what no event tells of is found every \(options.rescanInterval)"))
        }
        let told = 100
        let messages = folderTroubles.messages + claimTroubles.messages + intake.refusals(told)
        problems += messages.map { InboxProblem(code: .unreadable, message: $0) }
        if intake.refused > told {
            problems.append(
                InboxProblem(code: .unreadable, message: "\(intake.refused - told) more files cannot be taken"))
        }
        return problems
    }
}
