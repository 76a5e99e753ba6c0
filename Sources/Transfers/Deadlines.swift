/// When a transfer has taken too long. A pure value, given the time; the loop asks it.
///
/// Three clocks run: the connection's (anew on each hop), the stall's (once the request is sent) and the transfer's
/// own.
struct Deadlines: Equatable {
    typealias Instant = SuspendingClock.Instant

    /// What ran out.
    enum Expiry: Equatable { case connect, stall, page }

    private enum Phase: Equatable {
        case connecting(since: Instant)
        case receiving(since: Instant, bytes: Int64)
    }

    /// What a transfer must bring within the stall timeout, in bytes.
    static let stallBytes: Int64 = 1000

    private let connectTimeout: Duration
    private let stallTimeout: Duration
    private let pageTimeout: Duration
    private var began: Instant
    private var phase: Phase

    init(_ options: TransferOptions, at now: Instant) {
        connectTimeout = options.connectTimeout
        stallTimeout = options.stallTimeout
        pageTimeout = options.pageTimeout
        began = now
        phase = .connecting(since: now)
    }

    /// The next hop begins.
    mutating func hop(at now: Instant) {
        phase = .connecting(since: now)
    }

    /// What is known of the hop: whether its request is on its way, and how many bytes of an answer have come. True
    /// where they are enough to begin a new window.
    @discardableResult
    mutating func progress(connected: Bool, bytes: Int64, at now: Instant) -> Bool {
        switch phase {
        case .connecting:
            if connected { phase = .receiving(since: now, bytes: bytes) }
            return false
        case .receiving(_, let before):
            guard bytes - before >= Self.stallBytes else { return false }
            phase = .receiving(since: now, bytes: bytes)
            return true
        }
    }

    /// Time in which nothing could be done (the process was stopped, the rate is limited) counts toward nothing.
    mutating func postpone(by gap: Duration) {
        began += gap
        switch phase {
        case .connecting(let since): phase = .connecting(since: since + gap)
        case .receiving(let since, let bytes): phase = .receiving(since: since + gap, bytes: bytes)
        }
    }

    /// The next instant at which something runs out if nothing happens.
    var next: Instant { min(began + pageTimeout, phaseEnd) }

    /// What has run out by now.
    func expired(at now: Instant) -> Expiry? {
        if now >= phaseEnd {
            if case .connecting = phase { return .connect }
            return .stall
        }
        return now >= began + pageTimeout ? .page : nil
    }

    /// What is left for the connection; zero once the request is sent.
    func connectTime(at now: Instant) -> Duration {
        guard case .connecting(let since) = phase else { return .zero }
        return max(.zero, since + connectTimeout - now)
    }

    /// Whether a connection has been waited for as long as that.
    func isConnecting(for time: Duration, at now: Instant) -> Bool {
        guard case .connecting(let since) = phase else { return false }
        return now - since >= time
    }

    private var phaseEnd: Instant {
        switch phase {
        case .connecting(let since): since + connectTimeout
        case .receiving(let since, _): since + stallTimeout
        }
    }
}
