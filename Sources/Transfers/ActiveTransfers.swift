import Addresses
import CCurl
import Platform
import Stories

/// All transfers under way and what they run on. Owned by the loop's thread, made and used there alone; it decides
/// nothing that a value of its own could decide.
final class ActiveTransfers {
    private typealias ID = LoopMailbox.ID
    private typealias Instant = SuspendingClock.Instant

    /// How long connections are kept when there is no transfer: for the next story of a burst, not for the next hour.
    private static let idleLife: Duration = .seconds(3)
    /// How long the loop sleeps at most where it cannot be woken by a socket.
    private static let blindWait: Duration = .milliseconds(50)

    private var options: TransferOptions {
        didSet {
            guard options.maxBytesPerSecond != oldValue.maxBytesPerSecond else { return }
            rate = RateLimit(bytesPerSecond: options.maxBytesPerSecond, at: .now)
        }
    }
    private let mailbox: LoopMailbox
    private let resolver: Resolver
    private let counters: Locked<TransferStatistics>
    private let log: Log
    private var multi: MultiHandle
    /// Since when there has been no transfer; nil while there is one, and once the connections are closed.
    private var idleSince: Instant?
    private var spare = SpareHandles()
    private var transfers: [ID: ActiveTransfer] = [:]
    private var rate: RateLimit
    /// Whether libcurl holds the transfers to a share of it.
    private var isShared = false
    /// Since when nothing is done, for the sake of that limit.
    private var pausedSince: Instant?
    /// Which transfer an easy handle works for. The pointers are names only; nothing reads what they point to.
    private var owners: [UnsafeMutableRawPointer: ID] = [:]

    init(
        _ options: TransferOptions, _ mailbox: LoopMailbox, _ resolver: Resolver,
        _ counters: Locked<TransferStatistics>, _ log: Log
    ) {
        guard let multi = MultiHandle() else { preconditionFailure("out of memory") }
        self.options = options
        rate = RateLimit(bytesPerSecond: options.maxBytesPerSecond, at: .now)
        self.mailbox = mailbox
        self.resolver = resolver
        self.counters = counters
        self.log = log
        self.multi = multi
    }

    func take(_ message: LoopMailbox.Message) {
        switch message {
        case .start(let id, let request, let answer):
            let transfer = ActiveTransfer(id, request, options, answer, at: .now)
            transfers[id] = transfer
            idleSince = nil
            counters.withLock { $0.active += 1 }
            begin(transfer)
        case .cancel(let id):
            if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
        case .resolved(let id, let hop, let answer):
            guard let transfer = transfers[id], transfer.hops == hop, case .resolving = transfer.stage else { return }
            attempt(transfer) { () throws(TransferFailure) in try run(transfer, addresses: transfer.check(answer)) }
        case .options(let options):
            self.options = options
        case .ping(let answer):
            answer.resume()
        case .stop:
            break
        }
    }

    /// The process did not run for `gap`: no transfer is blamed for it.
    func postpone(by gap: Duration) {
        if !transfers.isEmpty { log.info("nothing ran for \(gap); transfers are given as much time again") }
        postponeDeadlines(by: gap)
    }

    /// Does all that can be done without waiting; nothing while more has come than the limit of the rate allows.
    /// (curl_easy_pause(3) would hold back one transfer, but libcurl 7.88 loses what it still reads of a paused one.)
    func perform() {
        let turn = Instant.now
        guard turn >= rate.paidUntil else {
            pausedSince = pausedSince ?? turn
            return
        }
        if let since = pausedSince {
            pausedSince = nil
            postponeDeadlines(by: turn - since)
        }
        shareRate()
        multi.perform()
    }

    /// Sees what has become of each transfer, and what has taken too long.
    func settle() {
        while let (easy, code) = multi.nextFinished() {
            guard let id = owners[easy], let transfer = transfers[id] else { continue }
            hopEnded(transfer, code)
        }
        guard pausedSince == nil else { return }
        let now = Instant.now
        // All progress is seen before anything is given up: it may have been made on a connection that they share.
        for transfer in Array(transfers.values) { look(at: transfer, now) }
        for transfer in transfers.values { transfer.tellWhereLate(at: now) }
        for transfer in Array(transfers.values) { giveUpWhereLate(transfer, now) }
    }

    /// Closes the connections once there has been no transfer for a while.
    func closeIdleConnections() {
        guard transfers.isEmpty, let since = idleSince, .now - since >= Self.idleLife else { return }
        idleSince = nil
        // libcurl has no call for it; what it keeps, it keeps with its multi handle.
        if let fresh = MultiHandle() { multi = fresh }
    }

    /// How long the loop may sleep. With transfers under way a second at most, though nothing may be due: the less it
    /// sleeps, the better it knows how long the process was stopped.
    var longestSleep: Duration {
        guard !transfers.isEmpty else {
            return idleSince.map { max(.zero, $0 + Self.idleLife - .now) } ?? .seconds(60)
        }
        let next = pausedSince == nil ? transfers.values.map(\.deadlines.next).min() : rate.paidUntil
        return next.map { max(.zero, min(.seconds(1), $0 - .now)) } ?? .seconds(1)
    }

    /// Sleeps until there is something to do, for `time` at most.
    func wait(_ time: Duration) {
        if pausedSince != nil { return mailbox.wait(time) }
        // Where libcurl cannot wait the loop must not spin: its sockets are looked at in short turns.
        if !multi.wait(mailbox.wake, timeout: time) { mailbox.wait(min(time, Self.blindWait)) }
    }

    /// Ends all transfers.
    func end() {
        resolver.stop()
        for transfer in Array(transfers.values) { end(transfer, .failure(.cancelled)) }
    }

    // MARK: One hop

    private func begin(_ transfer: ActiveTransfer) {
        attempt(transfer) { () throws(TransferFailure) in
            guard transfer.url.isSecure || transfer.options.allowHTTP else {
                throw TransferFailure(.schemeDenied("http"), redirected: false)
            }
            let isLiteral = try transfer.checkLiteral() != nil
            if isLiteral || transfer.options.proxy != nil {
                try run(transfer, addresses: nil)
            } else {
                resolve(transfer)
            }
        }
    }

    private func resolve(_ transfer: ActiveTransfer) {
        let (mailbox, id, hop) = (mailbox, transfer.id, transfer.hops)
        let ticket = resolver.ask(transfer.url.host) { answer in
            _ = mailbox.post(.resolved(id, hop: hop, answer))
        }
        transfer.stage = .resolving(ticket)
    }

    private func run(_ transfer: ActiveTransfer, addresses: [IPAddress]?) throws(TransferFailure) {
        let easy = spare.take()
        let reception = Reception(
            transfer.request, transfer.options, source: transfer.source, rest: transfer.rest,
            isConditional: transfer.validators != nil, policy: transfer.policy, sockets: multi.sockets, now: .now())
        easy.prepare(transfer.hop(to: addresses, at: .now), transfer.options, reception: reception)
        try multi.add(easy)
        transfer.stage = .running(easy, reception)
        owners[easy.raw] = transfer.id
    }

    /// libcurl is done with the hop.
    private func hopEnded(_ transfer: ActiveTransfer, _ code: CURLcode) {
        guard case .running(let easy, let reception) = transfer.stage else { return }
        if code == CURLE_OPERATION_TIMEDOUT, !reception.isConnected, transfer.deadlines.expired(at: .now) == nil {
            // libcurl's clock ran on while nothing was done; ours did not.
            release(transfer)
            begin(transfer)
            return
        }
        if code == CURLE_OK || reception.outcome != nil, let socket = reception.socket {
            multi.sockets.progressed(socket, at: .now)
        }
        let outcome: Reception.Outcome
        if let known = reception.outcome {
            outcome = known
        } else if code == CURLE_OK {
            outcome = reception.finish()
        } else {
            outcome = .failed(CurlFailure.classify(code, detail: easy.detail))
        }
        conclude(transfer, outcome, cleanly: code == CURLE_OK)
    }

    private func conclude(_ transfer: ActiveTransfer, _ outcome: Reception.Outcome, cleanly: Bool = false) {
        release(transfer, cleanly: cleanly)
        switch outcome {
        case .done(let download): end(transfer, .success(.picture(download)))
        case .unchanged(let response): end(transfer, .success(.unchanged(response)))
        case .failed(let failure): end(transfer, .failure(failure))
        case .afresh:
            transfer.startAfresh(at: .now)
            begin(transfer)
        case .redirect(let location):
            attempt(transfer) { () throws(TransferFailure) in
                try transfer.follow(location, at: .now)
                begin(transfer)
            }
        }
    }

    /// Counts what has come.
    private func look(at transfer: ActiveTransfer, _ now: Instant) {
        guard case .running(let easy, let reception) = transfer.stage else { return }
        let received = easy.receivedBytes
        count(transfer, received)
        let hasProgressed = transfer.deadlines.progress(
            connected: reception.isConnected, bytes: received + easy.headerBytes, at: now)
        if hasProgressed, let socket = reception.socket { multi.sockets.progressed(socket, at: now) }
        let bytes = reception.resumedFrom + received
        if reception.isTaking, received > 0 { transfer.tellProgress(bytes, of: reception.length, at: now) }
        if bytes > transfer.options.imageBytes, reception.outcome == nil {
            // What is decoded is counted as it is written; this is the body as sent.
            conclude(transfer, .failed(.tooLarge(limit: transfer.options.imageBytes)))
        }
    }

    /// Ends a transfer that has taken too long.
    private func giveUpWhereLate(_ transfer: ActiveTransfer, _ now: Instant) {
        guard let expiry = transfer.deadlines.expired(at: now) else { return }
        if case .running(_, let reception) = transfer.stage {
            if transfer.url.isSecure, let socket = reception.socket {
                multi.sockets.cut(socket, ifSilentFor: transfer.options.stallTimeout, at: now)
            }
            // Only the rest of a body that nobody wants is late.
            if let outcome = reception.outcome, expiry != .page { return conclude(transfer, outcome) }
        }
        end(transfer, .failure(transfer.failure(expiry)))
    }

    private func postponeDeadlines(by gap: Duration) {
        for transfer in transfers.values { transfer.deadlines.postpone(by: gap) }
        multi.sockets.postpone(by: gap)
    }

    // MARK: Ends

    /// Runs one step of a transfer; a failure ends it.
    private func attempt(_ transfer: ActiveTransfer, _ step: () throws(TransferFailure) -> Void) {
        do throws(TransferFailure) { try step() } catch { end(transfer, .failure(error)) }
    }

    private func end(_ transfer: ActiveTransfer, _ result: Result<Arrival, TransferFailure>) {
        release(transfer)
        transfers[transfer.id] = nil
        if transfers.isEmpty { idleSince = .now }
        counters.withLock { $0.active -= 1 }
        transfer.answer(result)
    }

    /// Lets go of whatever the current hop holds. A handle whose hop ended `cleanly` serves again.
    private func release(_ transfer: ActiveTransfer, cleanly: Bool = false) {
        switch transfer.stage {
        case .idle:
            return
        case .resolving(let ticket):
            resolver.withdraw(ticket, from: transfer.url.host)
        case .running(let easy, let reception):
            transfer.hopEnded(reception)
            count(transfer, easy.receivedBytes)
            multi.remove(easy)
            owners[easy.raw] = nil
            easy.reset()
            if cleanly { spare.keep(easy) }
        }
        transfer.stage = .idle
    }

    private func count(_ transfer: ActiveTransfer, _ received: Int64) {
        let bytes = transfer.newBytes(received)
        guard bytes > 0 else { return }
        counters.withLock { $0.bytesReceived += bytes }
        rate.spend(bytes, at: .now)
    }

    /// Tells libcurl what each transfer may read at once, which changes as others come and go.
    private func shareRate() {
        let share = rate.share(of: owners.count)
        guard share > 0 || isShared else { return }
        isShared = share > 0
        for case .running(let easy, _) in transfers.values.map(\.stage) { easy.limit(bytesPerSecond: share) }
    }
}
