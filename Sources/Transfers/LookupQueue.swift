import Addresses

/// Which names are looked up, who waits for them, and what was found lately. A pure value; `Resolver` does what it
/// says.
///
/// Equal names are looked up once, at most `maximumWorkers` at a time; what nobody waits for any more is not begun, and
/// where it has begun and hangs it keeps no other name waiting, as long as there are not `maximumThreads`.
struct LookupQueue {
    typealias Instant = SuspendingClock.Instant
    typealias Answer = Result<[IPAddress], LookupFailure>

    /// Who asked.
    struct Ticket: Hashable, Sendable {
        let number: UInt64
    }

    /// What the one who asks is told.
    enum Step: Equatable {
        /// Known from the last look-up.
        case known([IPAddress])
        /// An answer will come; one more worker is wanted now.
        case startWorker
        /// An answer will come.
        case wait
    }

    /// Workers at names that somebody waits for, or without a name yet.
    private let maximumWorkers: Int
    /// Workers in all.
    private let maximumThreads: Int
    /// How long an answer may be used again. The time that the name server allows is not known here.
    static let answerLife: Duration = .seconds(30)
    static let maximumKnown = 256

    private var waiting: [String] = []
    private var tickets: [String: [Ticket]] = [:]
    private var running: Set<String> = []
    private var workers = 0
    private var known: [String: (addresses: [IPAddress], until: Instant)] = [:]

    /// More than the transfers that may be late at the usual concurrency.
    init(maximumWorkers: Int = 96, maximumThreads: Int = 128) {
        self.maximumWorkers = maximumWorkers
        self.maximumThreads = maximumThreads
    }

    mutating func ask(_ host: String, _ ticket: Ticket, at now: Instant) -> Step {
        if let answer = known[host], now < answer.until { return .known(answer.addresses) }
        tickets[host, default: []].append(ticket)
        guard !running.contains(host), !waiting.contains(host) else { return .wait }
        waiting.append(host)
        return takesWorker() ? .startWorker : .wait
    }

    /// The one who asked no longer waits. True where one more worker is wanted now, in place of one that is at a name
    /// that nobody waits for any more.
    mutating func withdraw(_ ticket: Ticket, from host: String) -> Bool {
        tickets[host]?.removeAll { $0 == ticket }
        guard tickets[host]?.isEmpty == true else { return false }
        tickets[host] = nil
        waiting.removeAll { $0 == host }
        return takesWorker()
    }

    /// What a worker looks up next; nil: the worker is to end.
    mutating func nextHost() -> String? {
        guard !waiting.isEmpty, wantedWorkers <= maximumWorkers else {
            workers -= 1
            return nil
        }
        let host = waiting.removeFirst()
        running.insert(host)
        return host
    }

    /// A worker that was asked for could not be started. Returns who is to be told: where nobody is left who would
    /// answer, all who wait for names that are not begun.
    mutating func workerFailed() -> [Ticket] {
        workers -= 1
        guard wantedWorkers == 0 else { return [] }
        let stranded = waiting.flatMap { tickets.removeValue(forKey: $0) ?? [] }
        waiting = []
        return stranded
    }

    /// A worker has found `answer`; returns who is to be told.
    mutating func finish(_ host: String, _ answer: Answer, at now: Instant) -> [Ticket] {
        running.remove(host)
        if case .success(let addresses) = answer {
            if known.count >= Self.maximumKnown { known = known.filter { now < $0.value.until } }
            if known.count >= Self.maximumKnown { known = [:] }
            known[host] = (addresses, now + Self.answerLife)
        }
        return tickets.removeValue(forKey: host) ?? []
    }

    /// Nothing more is begun; a worker ends with what it is at.
    mutating func close() {
        waiting = []
        tickets = [:]
    }

    /// Counts one more worker in where a name waits that no free worker is about to take, and there may be one.
    private mutating func takesWorker() -> Bool {
        guard waiting.count > workers - running.count, wantedWorkers < maximumWorkers,
            workers < maximumThreads
        else { return false }
        workers += 1
        return true
    }

    /// Workers, without those at names that nobody waits for any more.
    private var wantedWorkers: Int {
        workers - running.count { tickets[$0] == nil }
    }
}
