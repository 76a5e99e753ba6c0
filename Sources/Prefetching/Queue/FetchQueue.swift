package import Addresses
package import Stories

/// Which URLs are fetched next, for whom, and what follows a failure. A pure state machine: time and chance come in,
/// decisions go out; the actor around it starts transfers and tells it how they ended.
///
/// One fetch serves all pages that want its URL. At most `concurrency` run at once, at most `perHost` of them to one
/// host. First pages go before all others, and the last slot of several at a host is theirs alone; the last quarter
/// of all slots is for hosts that have none. Hosts take turns, and so do the stories waiting for the same host.
/// A fetch that waits for its next attempt holds no slot.
///
/// Each transfer that was started ends by one of `succeeded`, `failed` and `cancelled`, once.
package struct FetchQueue: Sendable {
    package typealias Instant = SuspendingClock.Instant

    private enum State: Equatable {
        case queued
        case running
        /// Between attempts of a round, or between rounds.
        case waiting(until: Instant)
    }

    private struct Fetch {
        let url: WebURL
        /// Until when new rounds are made for each waiter.
        var horizons: [Waiter: Instant] = [:]
        /// The waiters, in the order they came.
        var waiters: [Waiter] = []
        var state = State.queued
        /// Attempts of the round, and rounds that failed.
        var attempts: Int
        var rounds: Int
        var failedOnNetwork = false
        /// Which of all starts its transfer was, and whether that has no connection though it had time for one.
        var start = 0
        var isLate = false
        /// The origin asked to be left alone until then.
        var notBefore: Instant?
        /// A first page waits for it, or has waited.
        var isOfFirstPage = false

        mutating func remove(where isGone: (Waiter) -> Bool) -> [Waiter] {
            let gone = waiters.filter(isGone)
            if gone.isEmpty { return [] }
            waiters.removeAll(where: isGone)
            for waiter in gone { horizons[waiter] = nil }
            return gone
        }
    }

    /// One of the stories that had a key.
    fileprivate struct Owner: Hashable {
        let story: StoryKey
        let generation: Int
    }

    private var limits: Limits
    private var fetches: [String: Fetch] = [:]
    /// The keys that each story waits for.
    private var wanted: [Owner: Set<String>] = [:]
    private var hosts = HostQueues()
    private var wakes = DueTimes<String>()
    /// What waits because the network failed.
    private var severed: Set<String> = []
    /// When a request succeeded last.
    private var lastSuccess: Instant?

    /// Transfers running.
    package private(set) var active = 0
    /// Those of them that have no connection though they had time for one.
    private var late = 0
    private var starts = 0
    /// Fetches that could start but for the slots.
    package private(set) var queued = 0

    /// When nothing has succeeded for so long, a success means that the network is back.
    private static let outage = Duration.seconds(30)
    /// Late transfers that hold no slot, at most; each costs a descriptor, or a thread that looks up a name.
    private static let maximumLate = 64

    package init(limits: Limits) {
        self.limits = limits
    }

    /// When something falls due that no event will tell of.
    package var nextWake: Instant? { wakes.next }

    /// Takes effect with the next start; running transfers go on.
    package mutating func setLimits(_ limits: Limits) {
        self.limits = limits
    }

    /// A page wants `url`, known by `key`. New rounds are made for the page until `giveUpAt`. A fetch that rests between
    /// rounds is tried at once for it, unless its origin asked to be left alone; a new one begins at `notBefore`, or at
    /// once, and goes on from its `history`.
    package mutating func add(
        _ waiter: Waiter, key: String, url: WebURL, giveUpAt: Instant, notBefore: Instant? = nil,
        history: History = History()
    ) -> Joining {
        let isNew = fetches[key] == nil
        var fetch = take(key) ?? Fetch(url: url, attempts: history.attempts, rounds: history.rounds)
        let isKnown = fetch.horizons.updateValue(giveUpAt, forKey: waiter) != nil
        if !isKnown {
            fetch.waiters.append(waiter)
            wanted[waiter.owner, default: []].insert(key)
        }
        let becomesFirst = waiter.page == 0 && !fetch.isOfFirstPage
        if becomesFirst { fetch.isOfFirstPage = true }
        var enqueues = isNew || (fetch.state == .queued && becomesFirst)
        if case .waiting = fetch.state, fetch.attempts == 0 {
            if let notBefore = fetch.notBefore {
                wait(key, &fetch, until: notBefore)
            } else {
                fetch.state = .queued
                enqueues = true
            }
        }
        if isNew, let notBefore {
            fetch.notBefore = notBefore
            wait(key, &fetch, until: notBefore)
            enqueues = false
        }
        put(key, fetch)
        if enqueues {
            hosts.append(key, of: waiter.story, host: fetch.url.host, isFirst: fetch.isOfFirstPage)
        }
        if isKnown { return .known }
        return isNew ? .began : .joined
    }

    /// The pages that want what `key` fetches, in the order they came.
    package func waiters(for key: String) -> [Waiter] { fetches[key]?.waiters ?? [] }

    /// The story no longer wants anything. Answers the keys of transfers that run for nobody now: they are to be
    /// cancelled, and end through `cancelled`, `failed` or `succeeded` like any other.
    package mutating func withdraw(_ story: StoryKey, generation: Int) -> [String] {
        let owner = Owner(story: story, generation: generation)
        var orphans: [String] = []
        for key in wanted.removeValue(forKey: owner) ?? [] {
            guard var fetch = take(key) else { continue }
            _ = fetch.remove { $0.owner == owner }
            let isOrphan = fetch.waiters.isEmpty
            if isOrphan, fetch.state == .running { orphans.append(key) }
            if !isOrphan || fetch.state == .running { put(key, fetch) }
        }
        return orphans
    }

    /// The transfer that was started has its connection, or is late with it. A late one holds no slot among all, though
    /// it holds that at its host: hosts that never answer do not keep the others waiting.
    package mutating func connection(of start: Start, isLate: Bool) {
        guard isRunning(start), var fetch = take(start.key) else { return }
        fetch.isLate = isLate
        put(start.key, fetch)
    }

    /// Whether that start, and no later one, is under way.
    package func isRunning(_ start: Start) -> Bool {
        fetches[start.key]?.state == .running && fetches[start.key]?.start == start.number
    }

    /// The transfers that may start now; each counts as running from here on.
    package mutating func start(_ now: Instant) -> [Start] {
        while let (due, key) = wakes.popDue(now) {
            guard fetches[key]?.state == .waiting(until: due), var fetch = take(key) else { continue }
            enqueue(key, &fetch)
            put(key, fetch)
        }
        var starts: [Start] = []
        while occupied < limits.concurrency {
            let next = hosts.popFirst(perHost: slotsPerHost) { fetches[$0]?.state == .queued }
            guard let key = next, var fetch = take(key) else { break }
            fetch.state = .running
            fetch.attempts += 1
            fetch.notBefore = nil
            self.starts += 1
            fetch.start = self.starts
            fetch.isLate = false
            put(key, fetch)
            starts.append(Start(key: key, url: fetch.url, number: fetch.start))
        }
        return starts
    }

    /// These have the picture; what becomes of the fetch is said by how its transfer ends.
    package mutating func satisfy(_ waiters: [Waiter], of key: String) {
        guard !waiters.isEmpty, var fetch = take(key) else { return }
        let satisfied = Set(waiters)
        remove(from: &fetch, key) { satisfied.contains($0) }
        put(key, fetch)
    }

    /// The fetch brought its picture. Pages that came too late to get it are served by another, at once. Where the
    /// network was away and an origin was reached, what failed over that is tried now; a picture that was in the cache
    /// (`byRequest` is false) says nothing of the network. Answers whether the network is back.
    @discardableResult
    package mutating func succeeded(_ key: String, byRequest: Bool, now: Instant) -> Bool {
        let wasAway = byRequest && lastSuccess.map { $0.duration(to: now) >= Self.outage } != false
        if wasAway { wakeSevered(now) }
        if byRequest { lastSuccess = now }
        again(key, attempts: 0)
        return wasAway
    }

    /// Whether the attempt under way is the last of its round.
    package func isLastAttempt(_ key: String) -> Bool {
        fetches[key].map { $0.attempts >= limits.retry.maxAttempts } ?? true
    }

    /// The transfer was given up on our own wish. Pages that came meanwhile are served by another, at once.
    package mutating func cancelled(_ key: String) {
        again(key, attempts: max(0, (fetches[key]?.attempts ?? 0) - 1))
    }

    /// The transfer failed for all that wait. `chance`, in 0..<1, spreads the next attempt.
    package mutating func failed(_ key: String, _ failure: Failure, now: Instant, chance: Double) -> Ended {
        guard var fetch = take(key) else { return Ended(retrying: [], givenUp: [], retryAt: nil, roundIsOver: true) }
        let roundIsOver = !failure.mayPass || failure.endsRound || fetch.attempts >= limits.retry.maxAttempts
        let delay: Duration
        if roundIsOver {
            fetch.rounds += 1
            fetch.attempts = 0
            delay = limits.retry.rest(afterRound: fetch.rounds, retryAfter: failure.retryAfter, chance: chance)
        } else {
            delay = limits.retry.delay(afterAttempt: fetch.attempts, retryAfter: failure.retryAfter, chance: chance)
        }
        let until = now.advanced(by: delay)
        let horizons = fetch.horizons
        let givenUp = remove(from: &fetch, key) { waiter in
            !failure.mayPass || (roundIsOver && horizons[waiter].map { $0 < until } != false)
        }
        let hasNext = !fetch.waiters.isEmpty
        if hasNext {
            fetch.failedOnNetwork = failure.isNetwork
            if failure.retryAfter != nil { fetch.notBefore = until }
            wait(key, &fetch, until: until)
            put(key, fetch)
        }
        return Ended(
            retrying: fetch.waiters, givenUp: givenUp, retryAt: hasNext ? until : nil, roundIsOver: roundIsOver)
    }

    /// Whether a fetch of that URL would start at once, but for what waits before it.
    package func couldStart(_ url: WebURL) -> Bool { hosts.hasFreeSlot(url.host, of: limits.perHost) }

    /// Slots that are taken.
    private var occupied: Int { active - min(late, Self.maximumLate) }

    /// How many transfers the next start leaves to one host. The last quarter of all slots is for hosts that have none,
    /// so that a few hosts that never answer cannot take them all.
    private var slotsPerHost: Int {
        occupied < limits.concurrency - limits.concurrency / 4 ? limits.perHost : 1
    }

    private mutating func again(_ key: String, attempts: Int) {
        guard var fetch = take(key), !fetch.waiters.isEmpty else { return }
        fetch.attempts = attempts
        enqueue(key, &fetch)
        put(key, fetch)
    }

    private mutating func wakeSevered(_ now: Instant) {
        for key in severed {
            guard var fetch = take(key) else { continue }
            if fetch.notBefore == nil, case .waiting(let until) = fetch.state, until > now {
                wait(key, &fetch, until: now)
            }
            put(key, fetch)
        }
    }

    private mutating func enqueue(_ key: String, _ fetch: inout Fetch) {
        fetch.state = .queued
        guard let story = fetch.waiters.first?.story else { return }
        hosts.append(key, of: story, host: fetch.url.host, isFirst: fetch.isOfFirstPage)
    }

    private mutating func wait(_ key: String, _ fetch: inout Fetch, until: Instant) {
        fetch.state = .waiting(until: until)
        wakes.append(key, due: until)
    }

    @discardableResult
    private mutating func remove(from fetch: inout Fetch, _ key: String, where isGone: (Waiter) -> Bool) -> [Waiter] {
        let gone = fetch.remove(where: isGone)
        for owner in Set(gone.map(\.owner)).subtracting(fetch.waiters.map(\.owner)) {
            wanted[owner]?.remove(key)
            if wanted[owner]?.isEmpty == true { wanted[owner] = nil }
        }
        return gone
    }

    /// How things stand with what a story waits for.
    package func outlook(of story: StoryKey, generation: Int) -> Outlook {
        var outlook = Outlook()
        for fetch in wanted[Owner(story: story, generation: generation), default: []].compactMap({ fetches[$0] }) {
            switch fetch.state {
            case .running: outlook.isRunning = true
            case .queued:
                outlook.isQueued = true
                if couldStart(fetch.url) { outlook.couldStart = true }
            case .waiting(let until): outlook.nextAttempt = outlook.nextAttempt.map { min($0, until) } ?? until
            }
            outlook.history.rounds = max(outlook.history.rounds, fetch.rounds)
            outlook.history.attempts = max(outlook.history.attempts, fetch.attempts)
            if fetch.failedOnNetwork { outlook.isSevered = true }
        }
        return outlook
    }

    // What is counted by state follows a fetch out of the table and back; taken out, it is changed without a copy.

    private mutating func take(_ key: String) -> Fetch? {
        guard let fetch = fetches.removeValue(forKey: key) else { return nil }
        switch fetch.state {
        case .queued: queued -= 1
        case .running:
            if fetch.isLate { late -= 1 }
            active -= 1
            hosts.vacate(fetch.url.host, isLate: fetch.isLate)
        case .waiting: severed.remove(key)
        }
        return fetch
    }

    private mutating func put(_ key: String, _ fetch: Fetch) {
        switch fetch.state {
        case .queued: queued += 1
        case .running:
            if fetch.isLate { late += 1 }
            active += 1
            hosts.occupy(fetch.url.host, isLate: fetch.isLate)
        case .waiting: if fetch.failedOnNetwork { severed.insert(key) }
        }
        fetches[key] = fetch
    }
}

extension FetchQueue.Waiter {
    fileprivate var owner: FetchQueue.Owner { FetchQueue.Owner(story: story, generation: generation) }
}
