import Addresses
import Hashing
import Platform
import Stories

/// One transfer under way, from its first hop to its last. Owned by the loop's thread.
final class ActiveTransfer {
    /// What the current hop is doing.
    enum Stage {
        /// Waits for the addresses of its host.
        case resolving(Resolver.Ticket)
        /// Is in libcurl's hands.
        case running(EasyHandle, Reception)
        /// Neither: between two hops, or before the first.
        case idle
    }

    let id: LoopMailbox.ID
    let request: TransferRequest
    let options: TransferOptions
    private let answer: LoopMailbox.Answer
    var deadlines: Deadlines
    var stage = Stage.idle
    /// Where the current hop goes.
    private(set) var url: WebURL
    /// Hops before the current one.
    private(set) var hops = 0
    /// Whether an earlier hop went to another host.
    private var hasLeftHost = false
    /// The rest that is asked for where the redirects lead to the source of what there is; nil where that is nothing, or
    /// cannot be gone on with.
    private var wantedRest: RestRequest?
    /// What the file holds that a later transfer could go on with.
    private var remains: Remains?
    private var isLate = false
    /// What was told last of the body's bytes, and when.
    private var toldProgress: (bytes: Int64, at: SuspendingClock.Instant)?
    /// Bytes of the current hop's body that the statistics know of.
    private var countedBytes: Int64 = 0

    init(
        _ id: LoopMailbox.ID, _ request: TransferRequest, _ options: TransferOptions, _ answer: LoopMailbox.Answer,
        at now: SuspendingClock.Instant
    ) {
        self.id = id
        self.request = request
        self.options = options
        self.answer = answer
        url = request.url
        wantedRest = request.resumption.flatMap { RestRequest($0) }
        remains = request.resumption.flatMap { Remains($0) }
        deadlines = Deadlines(options, at: now)
    }

    /// Goes on to where `location` leads; throws where it leads nowhere that may be asked.
    func follow(_ location: String, at now: SuspendingClock.Instant) throws(TransferFailure) {
        guard hops < options.maxRedirects else {
            throw TransferFailure(.redirects, "There were more than \(options.maxRedirects) redirects.")
        }
        guard let target = RedirectLocation.resolve(location, from: url) else {
            throw TransferFailure(.badURL, "A redirect leads to what is no URL.")
        }
        let next: WebURL
        do throws(WebURL.Problem) {
            next = try url.redirect(to: target, maximumBytes: options.urlBytes, allowHTTP: options.allowHTTP)
        } catch {
            throw TransferFailure(error, redirected: true)
        }
        if next.host != url.host { hasLeftHost = true }
        url = next
        hops += 1
        countedBytes = 0
        deadlines.hop(at: now)
    }

    /// The current hop's request, ready to be made; `addresses` are those of its host where they were looked up.
    func hop(to addresses: [IPAddress]?, at now: SuspendingClock.Instant) -> Hop {
        Hop(
            url: url, addresses: addresses, validators: validators, rest: rest, hasLeftHost: hasLeftHost,
            connectTime: deadlines.connectTime(at: now))
    }

    /// The rest that the current hop asks for; nil where it asks for the whole. Another URL may have the same validator for
    /// other bytes: a validator tells versions of one resource apart (RFC 9110, section 8.8.1), and many count from 1.
    var rest: RestRequest? { request.resumption?.source == source ? wantedRest : nil }

    /// The name of the URL that the current hop goes to.
    var source: ContentID { .of(utf8: url.key) }

    /// What judges the addresses of its sockets; nil behind a proxy.
    var policy: AddressPolicy? { options.proxy == nil ? options.addresses : nil }

    /// What the requests' conditions say. A transfer that goes on with a picture asks for it whatever is there besides.
    var validators: Validators? { request.resumption == nil ? request.validators : nil }

    /// Asks the same URL once more, for the whole: what there is of it cannot be gone on with.
    func startAfresh(at now: SuspendingClock.Instant) {
        wantedRest = nil
        remains = nil
        countedBytes = 0
        deadlines.hop(at: now)
    }

    /// The hop is over: sees what it has made of the file.
    func hopEnded(_ reception: Reception) {
        if reception.hasTaken { remains = reception.remains }
    }

    /// What is answered to whoever asked for the transfer.
    func answer(_ result: Result<Arrival, TransferFailure>) {
        answer.resume(returning: result.mapError { $0.leaving(remains) })
    }

    /// The address of the host itself where it is one, else nil; throws where it may not be reached.
    func checkLiteral() throws(TransferFailure) -> IPAddress? {
        guard let address = url.literalAddress else { return nil }
        if let reason = options.addresses.refusal(of: address) { throw .refused(reason) }
        return address
    }

    /// The name's addresses as they are, if all of them may be reached: one that may not is no accident of the others.
    func check(_ answer: LookupQueue.Answer) throws(TransferFailure) -> [IPAddress] {
        switch answer {
        case .success(let addresses):
            for address in addresses {
                if let reason = options.addresses.refusal(of: address) { throw .refused("\(url.host) is \(reason)") }
            }
            return addresses
        case .failure(let failure):
            throw TransferFailure(.dns, "The name \(url.host) could not be looked up: \(failure.message).")
        }
    }

    /// Tells whether the connection is late, where that has changed.
    func tellWhereLate(at now: SuspendingClock.Instant) {
        // Once late, it is so until the connection stands, a redirect or not.
        let isLate = deadlines.isConnecting(for: isLate ? .zero : TransferRequest.patience, at: now)
        guard isLate != self.isLate else { return }
        self.isLate = isLate
        request.whenLate(isLate)
    }

    /// Tells how much of the accepted body has come, where that has changed and is not told too often.
    func tellProgress(_ bytes: Int64, of total: Int64?, at now: SuspendingClock.Instant) {
        if let told = toldProgress, bytes == told.bytes || now - told.at < TransferRequest.progressInterval { return }
        toldProgress = (bytes, now)
        request.whenProgressed(bytes, total)
    }

    /// Bytes received since the last time this was asked.
    func newBytes(_ received: Int64) -> Int64 {
        defer { countedBytes = max(countedBytes, received) }
        return max(0, received - countedBytes)
    }

    /// What it means that a deadline has passed.
    func failure(_ expiry: Deadlines.Expiry) -> TransferFailure {
        switch expiry {
        case .connect:
            if case .resolving = stage {
                return TransferFailure(.dns, "Looking up the name \(url.host) timed out.")
            }
            return .connectTimedOut
        case .stall:
            return TransferFailure(
                .stalled, "Fewer than \(Deadlines.stallBytes) bytes came in \(options.stallTimeout).")
        case .page:
            return TransferFailure(.timeout, "The transfer took longer than \(options.pageTimeout).")
        }
    }
}

extension TransferFailure {
    init(_ problem: WebURL.Problem, redirected: Bool) {
        let prefix = redirected ? "A redirect leads astray: " : ""
        switch problem {
        case .bad: self.init(.badURL, prefix + "\(problem)")
        case .schemeDenied: self.init(.schemeDenied, prefix + "\(problem)")
        case .tooLong: self.init(.urlTooLong, prefix + "\(problem)")
        }
    }
}
