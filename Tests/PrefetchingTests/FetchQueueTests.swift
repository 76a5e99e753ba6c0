import Addresses
import Prefetching
import Stories
import Testing

@Suite struct `The queue of fetches` {
    private let start = SuspendingClock.now

    private func queue(concurrency: Int = 16, perHost: Int = 6, maxAttempts: Int = 3) -> FetchQueue {
        FetchQueue(
            limits: FetchQueue.Limits(
                concurrency: concurrency, perHost: perHost,
                retry: RetryPolicy(
                    maxAttempts: maxAttempts, base: .seconds(1), cap: .seconds(60), horizon: .seconds(3600))))
    }

    private func url(_ text: String) throws -> WebURL { try WebURL(text) }

    private func waiter(_ story: String, _ page: Int = 0, generation: Int = 1) throws -> FetchQueue.Waiter {
        let id = try #require(StoryID(story))
        return FetchQueue.Waiter(story: StoryKey(group: nil, id: id), generation: generation, page: page)
    }

    private var horizon: SuspendingClock.Instant { start.advanced(by: .seconds(3600)) }

    /// Adds the pages of a story, all on `host`, and answers the paths in the order of the pages.
    private func add(_ story: String, pages: Int, host: String, to queue: inout FetchQueue) throws {
        for page in 0..<pages {
            let url = try url("https://\(host)/\(story)/\(page)")
            _ = queue.add(
                try waiter(story, page), key: url.key, url: url, isFirstPage: page == 0, giveUpAt: horizon)
        }
    }

    private func started(_ queue: inout FetchQueue, at now: SuspendingClock.Instant? = nil) -> [String] {
        queue.start(now ?? start).map { String($0.key.dropFirst("https://".count)) }
    }

    private let passing = FetchQueue.Failure(mayPass: true, isNetwork: true, retryAfter: nil)

    @Test func `no more than concurrency run at once, nor more than per_host to one host`() throws {
        var queue = queue(concurrency: 5, perHost: 3)
        try add("a", pages: 4, host: "one.example", to: &queue)
        try add("b", pages: 4, host: "two.example", to: &queue)
        let first = started(&queue)
        #expect(first.count == 5)
        #expect(first.filter { $0.hasPrefix("one.example") }.count == 3)
        #expect(queue.active == 5 && queue.queued == 3)
        #expect(started(&queue).isEmpty)
        _ = queue.succeeded("https://\(first[0])", now: start)
        #expect(started(&queue).count == 1)
    }

    @Test func `first pages go before the later pages of every story`() throws {
        var queue = queue(concurrency: 1)
        try add("a", pages: 2, host: "one.example", to: &queue)
        try add("b", pages: 2, host: "one.example", to: &queue)
        var order: [String] = []
        while let next = started(&queue).first {
            order.append(next)
            _ = queue.succeeded("https://\(next)", now: start)
        }
        #expect(order == ["one.example/a/0", "one.example/b/0", "one.example/a/1", "one.example/b/1"])
    }

    @Test func `stories of one host take turns`() throws {
        var queue = queue(concurrency: 1)
        try add("long", pages: 4, host: "one.example", to: &queue)
        try add("short", pages: 2, host: "one.example", to: &queue)
        var order: [String] = []
        while let next = started(&queue).first {
            order.append(String(next.dropFirst("one.example/".count)))
            _ = queue.succeeded("https://\(next)", now: start)
        }
        #expect(order == ["long/0", "short/0", "long/1", "short/1", "long/2", "long/3"])
    }

    @Test func `a host without free slots does not hold up another`() throws {
        var queue = queue(concurrency: 16, perHost: 2)
        try add("stuck", pages: 40, host: "stuck.example", to: &queue)
        #expect(started(&queue).count == 2)
        try add("other", pages: 2, host: "other.example", to: &queue)
        #expect(started(&queue) == ["other.example/other/0", "other.example/other/1"])
    }

    @Test func `one fetch serves all who want its URL`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        let waiters = [try waiter("a", 0), try waiter("a", 3), try waiter("b", 0)]
        let joined = waiters.map {
            queue.add($0, key: url.key, url: url, isFirstPage: $0.page == 0, giveUpAt: horizon)
        }
        #expect(joined == [false, true, true])
        #expect(queue.start(start).count == 1)
        #expect(queue.succeeded(url.key, now: start).waiters == waiters)
        #expect(queue.active == 0 && queue.nextWake == nil)
    }

    @Test func `a running fetch goes on while one waiter is left, and is an orphan without any`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        let (a, b) = (try waiter("a"), try waiter("b"))
        for waiter in [a, b] {
            _ = queue.add(waiter, key: url.key, url: url, isFirstPage: true, giveUpAt: horizon)
        }
        _ = queue.start(start)
        #expect(queue.withdraw(a.story, generation: 1).isEmpty)
        #expect(queue.withdraw(b.story, generation: 2).isEmpty, "another generation's waiters stay")
        #expect(queue.withdraw(b.story, generation: 1) == [url.key])
        let ended = queue.failed(url.key, passing, now: start, chance: 0.5)
        #expect(ended.waiters.isEmpty && ended.retryAt == nil)
        #expect(queue.active == 0)
    }

    @Test func `a failure that may pass is tried again after its delay, holding no slot meanwhile`() throws {
        var queue = queue(concurrency: 1)
        try add("a", pages: 1, host: "one.example", to: &queue)
        let key = "https://\(started(&queue)[0])"
        let ended = queue.failed(key, passing, now: start, chance: 0.5)
        #expect(!ended.roundIsOver && ended.attempts == 1)
        let retryAt = try #require(ended.retryAt)
        #expect(retryAt == start.advanced(by: .milliseconds(500)), "half of the base, by chance")
        #expect(queue.active == 0 && queue.nextWake == retryAt)
        #expect(started(&queue, at: retryAt.advanced(by: .milliseconds(-1))).isEmpty)
        #expect(started(&queue, at: retryAt) == ["one.example/a/0"])
    }

    @Test func `after the last attempt of a round the page rests, and is fetched again in the next round`() throws {
        var queue = queue(maxAttempts: 1)
        try add("a", pages: 1, host: "one.example", to: &queue)
        var now = start
        var rests: [Duration] = []
        for _ in 0..<3 {
            let key = "https://\(try #require(started(&queue, at: now).first))"
            let ended = queue.failed(key, passing, now: now, chance: 0)
            #expect(ended.roundIsOver)
            let next = try #require(ended.retryAt)
            rests.append(now.duration(to: next))
            now = next
        }
        #expect(rests == [.seconds(2.5), .seconds(5), .seconds(10)])
    }

    @Test func `no round begins past the horizon`() throws {
        var queue = queue(maxAttempts: 1)
        let url = try url("https://one.example/x")
        let soon = start.advanced(by: .seconds(1))
        _ = queue.add(try waiter("a"), key: url.key, url: url, isFirstPage: true, giveUpAt: soon)
        _ = queue.start(start)
        let ended = queue.failed(url.key, passing, now: start, chance: 0)
        #expect(ended.waiters == [try waiter("a")] && ended.retryAt == nil && ended.roundIsOver)
        #expect(queue.nextWake == nil)
    }

    @Test func `a failure for good ends the fetch, and the next story starts it anew`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        _ = queue.add(try waiter("a"), key: url.key, url: url, isFirstPage: true, giveUpAt: horizon)
        _ = queue.start(start)
        let final = FetchQueue.Failure(mayPass: false, isNetwork: false, retryAfter: nil)
        let ended = queue.failed(url.key, final, now: start, chance: 0)
        #expect(ended.roundIsOver && ended.retryAt == nil)
        #expect(!queue.add(try waiter("b"), key: url.key, url: url, isFirstPage: true, giveUpAt: horizon))
        #expect(queue.start(start).count == 1)
    }

    @Test func `a new story wakes a fetch that rests, but not one between attempts`() throws {
        var queue = queue(maxAttempts: 2)
        let url = try url("https://one.example/x")
        _ = queue.add(try waiter("a"), key: url.key, url: url, isFirstPage: true, giveUpAt: horizon)
        _ = queue.start(start)
        _ = queue.failed(url.key, passing, now: start, chance: 0.9)
        _ = queue.add(try waiter("b"), key: url.key, url: url, isFirstPage: true, giveUpAt: horizon)
        #expect(queue.start(start).isEmpty, "back-off holds for everyone")
        _ = queue.start(start.advanced(by: .seconds(1)))
        _ = queue.failed(url.key, passing, now: start.advanced(by: .seconds(1)), chance: 0.9)
        _ = queue.add(try waiter("c"), key: url.key, url: url, isFirstPage: true, giveUpAt: horizon)
        #expect(queue.start(start.advanced(by: .seconds(1))).count == 1)
    }

    @Test func `a success wakes what failed on the network`() throws {
        var queue = queue(maxAttempts: 1)
        try add("a", pages: 1, host: "down.example", to: &queue)
        try add("b", pages: 1, host: "up.example", to: &queue)
        _ = started(&queue)
        _ = queue.failed("https://down.example/a/0", passing, now: start, chance: 0.5)
        #expect(started(&queue).isEmpty)
        _ = queue.succeeded("https://up.example/b/0", now: start)
        #expect(started(&queue) == ["down.example/a/0"])
    }

    @Test func `Retry-After is a floor, and no more than the cap`() {
        let policy = RetryPolicy(maxAttempts: 4, base: .seconds(1), cap: .seconds(60), horizon: .seconds(3600))
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(2), chance: 0) == .seconds(2))
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(1_000_000_000), chance: 0) == .seconds(60))
        #expect(policy.delay(afterAttempt: 1, retryAfter: .seconds(-5), chance: 0) == .zero)
        #expect(policy.delay(afterAttempt: 40, retryAfter: nil, chance: 0.5) == .seconds(30))
        #expect(policy.rest(afterRound: 40, retryAfter: nil, chance: 0) == .seconds(450))
    }
}
