package import Addresses
package import Stories

/// Which URLs are fetched next, for whom, and what follows a failure. A pure state machine: time and chance come in,
/// decisions go out; the actor around it starts transfers and tells it how they ended.
///
/// One fetch serves all pages that want its URL. At most `concurrency` run at once, at most `perHost` of them to one
/// origin. First pages go before all others; origins take turns, and so do the stories waiting for the same origin. A
/// fetch that waits for its next attempt holds no slot.
package struct FetchQueue: Sendable {
    package typealias Instant = SuspendingClock.Instant

    /// A page that wants a URL's picture.
    package struct Waiter: Hashable, Sendable {
        package let story: StoryKey
        /// Which of the stories that had this key: a story may be replaced while its pictures are under way.
        package let generation: Int
        /// The page's place in the story's list of pages.
        package let page: Int

        package init(story: StoryKey, generation: Int, page: Int) {
            self.story = story
            self.generation = generation
            self.page = page
        }
    }

    package struct Limits: Sendable, Equatable {
        package var concurrency: Int
        package var perHost: Int
        package var retry: RetryPolicy

        package init(concurrency: Int, perHost: Int, retry: RetryPolicy) {
            self.concurrency = concurrency
            self.perHost = perHost
            self.retry = retry
        }
    }

    /// What decides over another attempt.
    package struct Failure: Sendable {
        /// Another attempt may end better.
        package let mayPass: Bool
        /// The way to the origin failed, not the origin: any success elsewhere is a reason to try again.
        package let isNetwork: Bool
        package let retryAfter: Duration?

        package init(mayPass: Bool, isNetwork: Bool, retryAfter: Duration?) {
            self.mayPass = mayPass
            self.isNetwork = isNetwork
            self.retryAfter = retryAfter
        }
    }

    /// A transfer to start now.
    package struct Start: Sendable, Equatable {
        package let key: String
        package let url: WebURL
    }

    /// Who is to be told that an attempt ended, and what is known.
    package struct Ended: Sendable {
        package let waiters: [Waiter]
        /// Attempts of this round.
        package let attempts: Int
        /// When the next attempt or round is due; nil where there is none.
        package let retryAt: Instant?
        /// No further attempt in this round.
        package let roundIsOver: Bool
    }

    private enum State: Equatable {
        case queued
        case running
        /// Between attempts of a round, or between rounds.
        case waiting(until: Instant)
    }

    private struct Fetch {
        let url: WebURL
        var waiters: [Waiter: Instant] = [:]
        var order: [Waiter] = []
        var state = State.queued
        var attempts = 0
        var rounds = 0
        var failedOnNetwork = false
    }

    private var limits: Limits
    private var fetches: [String: Fetch] = [:]
    private var origins = OriginQueues()
    private var wakes = DueTimes<String>()
    /// Transfers running.
    package private(set) var active = 0

    package init(limits: Limits) {
        self.limits = limits
    }

    /// Fetches that could start but for the slots.
    package var queued: Int { fetches.values.reduce(0) { $0 + ($1.state == .queued ? 1 : 0) } }

    /// When something falls due that no event will tell of.
    package var nextWake: Instant? { wakes.next }

    /// Takes effect with the next start; running transfers go on.
    package mutating func setLimits(_ limits: Limits) {
        self.limits = limits
    }

    /// A page wants `url`, known by `key`. True where a fetch of it was there already. New rounds are made for the page
    /// until `giveUpAt`. A fetch that rests between rounds is tried at once for it.
    package mutating func add(
        _ waiter: Waiter, key: String, url: WebURL, isFirstPage: Bool, giveUpAt: Instant
    ) -> Bool {
        let isNew = fetches[key] == nil
        var fetch = fetches[key] ?? Fetch(url: url)
        if fetch.waiters.updateValue(giveUpAt, forKey: waiter) == nil { fetch.order.append(waiter) }
        var enqueue = isNew || (fetch.state == .queued && isFirstPage)
        if case .waiting = fetch.state, fetch.attempts == 0 {
            fetch.state = .queued
            enqueue = true
        }
        fetches[key] = fetch
        if enqueue { origins.append(key, of: waiter.story, origin: fetch.url.origin, isFirst: isFirstPage) }
        return !isNew
    }

    /// The page's picture came but could not be kept: it is fetched anew at `until`, or earlier for another page.
    package mutating func addResting(_ waiter: Waiter, key: String, url: WebURL, until: Instant) {
        guard fetches[key] == nil else {
            _ = add(waiter, key: key, url: url, isFirstPage: false, giveUpAt: until)
            return
        }
        fetches[key] = Fetch(url: url, waiters: [waiter: until], order: [waiter])
        wait(key, until: until)
    }

    /// The pages that want what `key` fetches, in the order they came.
    package func waiters(for key: String) -> [Waiter] { fetches[key]?.order ?? [] }

    /// The story no longer wants anything. Answers the keys of transfers that run for nobody now: they are to be
    /// cancelled, and end through `failed` like any other.
    package mutating func withdraw(_ story: StoryKey, generation: Int) -> [String] {
        var orphans: [String] = []
        for (key, var fetch) in fetches {
            guard fetch.order.contains(where: { $0.story == story && $0.generation == generation }) else { continue }
            fetch.order.removeAll { $0.story == story && $0.generation == generation }
            fetch.waiters = fetch.waiters.filter { fetch.order.contains($0.key) }
            if fetch.order.isEmpty, fetch.state != .running {
                fetches[key] = nil
            } else {
                fetches[key] = fetch
                if fetch.order.isEmpty { orphans.append(key) }
            }
        }
        return orphans
    }

    /// The transfers that may start now; each counts as running from here on, until `succeeded` or `failed`.
    package mutating func start(_ now: Instant) -> [Start] {
        while let (due, key) = wakes.popDue(now) {
            guard let fetch = fetches[key], fetch.state == .waiting(until: due) else { continue }
            fetches[key]?.state = .queued
            if let story = fetch.order.first?.story {
                origins.append(key, of: story, origin: fetch.url.origin, isFirst: false)
            }
        }
        var starts: [Start] = []
        while active < limits.concurrency {
            let next = origins.popFirst(perHost: limits.perHost) { fetches[$0]?.state == .queued }
            guard let key = next, let url = fetches[key]?.url else { break }
            fetches[key]?.state = .running
            fetches[key]?.attempts += 1
            active += 1
            origins.occupy(url.origin)
            starts.append(Start(key: key, url: url))
        }
        return starts
    }

    /// The transfer of `key` brought its picture. What waited for the network to come back is tried now.
    package mutating func succeeded(_ key: String, now: Instant) -> Ended {
        release(key)
        let fetch = fetches.removeValue(forKey: key)
        for (other, resting) in fetches where resting.failedOnNetwork {
            guard case .waiting(let until) = resting.state, until > now else { continue }
            wait(other, until: now)
        }
        return Ended(
            waiters: fetch?.order ?? [], attempts: fetch?.attempts ?? 1, retryAt: nil, roundIsOver: true)
    }

    /// The transfer of `key` failed. `chance`, in 0..<1, spreads the next attempt.
    package mutating func failed(_ key: String, _ failure: Failure, now: Instant, chance: Double) -> Ended {
        release(key)
        guard var fetch = fetches[key] else { return Ended(waiters: [], attempts: 1, retryAt: nil, roundIsOver: true) }
        let attempts = fetch.attempts
        guard failure.mayPass, !fetch.order.isEmpty else {
            fetches[key] = nil
            return Ended(waiters: fetch.order, attempts: attempts, retryAt: nil, roundIsOver: true)
        }
        fetch.failedOnNetwork = failure.isNetwork
        let roundIsOver = attempts >= limits.retry.maxAttempts
        let delay: Duration
        if roundIsOver {
            fetch.rounds += 1
            fetch.attempts = 0
            delay = limits.retry.rest(afterRound: fetch.rounds, retryAfter: failure.retryAfter, chance: chance)
        } else {
            delay = limits.retry.delay(afterAttempt: attempts, retryAfter: failure.retryAfter, chance: chance)
        }
        let until = now.advanced(by: delay)
        let everyone = fetch.order
        if roundIsOver {
            // Whose horizon lies before the next round is told for the last time.
            fetch.waiters = fetch.waiters.filter { $0.value >= until }
            fetch.order.removeAll { fetch.waiters[$0] == nil }
        }
        let hasNext = !fetch.order.isEmpty
        fetches[key] = hasNext ? fetch : nil
        if hasNext { wait(key, until: until) }
        return Ended(
            waiters: everyone, attempts: attempts, retryAt: hasNext ? until : nil, roundIsOver: roundIsOver)
    }

    private mutating func wait(_ key: String, until: Instant) {
        fetches[key]?.state = .waiting(until: until)
        wakes.append(key, due: until)
    }

    private mutating func release(_ key: String) {
        guard let fetch = fetches[key], fetch.state == .running else { return }
        active -= 1
        origins.vacate(fetch.url.origin)
    }
}
