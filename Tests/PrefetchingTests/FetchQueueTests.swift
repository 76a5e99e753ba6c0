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
                try waiter(story, page), key: url.key, url: url, giveUpAt: horizon)
        }
    }

    private func started(_ queue: inout FetchQueue, at now: SuspendingClock.Instant? = nil) -> [String] {
        queue.start(now ?? start).map { String($0.key.dropFirst("https://".count)) }
    }

    /// The transfer of `key` ends with a picture for all who wait.
    private func finish(_ key: String, _ queue: inout FetchQueue, at now: SuspendingClock.Instant? = nil) {
        queue.satisfy(queue.waiters(for: key), of: key)
        queue.succeeded(key, byRequest: true, now: now ?? start)
    }

    private let passing = FetchQueue.Failure(mayPass: true, isNetwork: true, retryAfter: nil)

    @Test func `no more than concurrency run at once, nor more than per_host to one host`() throws {
        var queue = queue(concurrency: 3, perHost: 2)
        for story in ["a", "b", "c", "d"] {
            try add("\(story)1", pages: 1, host: "one.example", to: &queue)
            try add("\(story)2", pages: 1, host: "two.example", to: &queue)
        }
        let first = started(&queue)
        #expect(first.count == 3)
        #expect(first.filter { $0.hasPrefix("one.example") }.count == 2)
        #expect(queue.active == 3 && queue.queued == 5)
        #expect(started(&queue).isEmpty)
        finish("https://\(first[0])", &queue)
        #expect(started(&queue).count == 1)
    }

    @Test func `schemes and ports of one host share its slots`() throws {
        var queue = queue(perHost: 2)
        for (page, site) in ["https://one.example", "http://one.example", "https://one.example:8443"].enumerated() {
            let url = try url("\(site)/x")
            _ = queue.add(try waiter("a\(page)"), key: url.key, url: url, giveUpAt: horizon)
        }
        #expect(queue.start(start).count == 2)
        #expect(queue.queued == 1)
    }

    @Test func `a few hosts that never answer do not take all slots`() throws {
        var queue = queue(concurrency: 16, perHost: 6)
        for host in ["x.example", "y.example", "z.example"] {
            try add("stuck-\(host)", pages: 40, host: host, to: &queue)
        }
        #expect(started(&queue).count == 12)
        try add("good", pages: 4, host: "good.example", to: &queue)
        try add("other", pages: 4, host: "other.example", to: &queue)
        #expect(started(&queue) == ["good.example/good/0", "other.example/other/0"])
        finish("https://good.example/good/0", &queue)
        #expect(started(&queue) == ["good.example/good/1"])
    }

    @Test func `late transfers hold no slots, however many, and their hosts are asked for no more`() throws {
        var queue = queue(concurrency: 4, perHost: 2)
        for number in 0..<6 { try add("stuck\(number)", pages: 3, host: "h\(number).example", to: &queue) }
        var stuck: [FetchQueue.Start] = []
        while case let more = queue.start(start), !more.isEmpty {
            for start in more { queue.connection(of: start, isLate: true) }
            stuck += more
        }
        #expect(stuck.count < 12 && Set(stuck.map(\.url.host)).count == 6, "\(stuck.count)")
        try add("good", pages: 2, host: "good.example", to: &queue)
        #expect(started(&queue).count == 2)
        for start in stuck { _ = queue.failed(start.key, passing, now: self.start, chance: 0) }
        #expect(queue.active == 2)
        #expect(started(&queue, at: start + .seconds(1)).count == 2, "what fails is not counted twice")
    }

    @Test func `a late transfer that has its connection after all takes its slot back`() throws {
        var queue = queue(concurrency: 1, perHost: 1)
        try add("a", pages: 1, host: "a.example", to: &queue)
        try add("b", pages: 1, host: "b.example", to: &queue)
        try add("c", pages: 1, host: "c.example", to: &queue)
        let a = try #require(queue.start(start).first)
        queue.connection(of: a, isLate: true)
        let b = try #require(queue.start(start).first)
        queue.connection(of: a, isLate: false)
        finish(b.key, &queue)
        #expect(queue.start(start).isEmpty)
        // News of a transfer that has ended is none of the next one.
        _ = queue.failed(a.key, passing, now: start, chance: 0)
        #expect(queue.start(start).map(\.key) == ["https://c.example/c/0"])
        finish("https://c.example/c/0", &queue)
        #expect(queue.start(start + .seconds(1)).map(\.key) == [a.key])
        queue.connection(of: a, isLate: true)
        try add("d", pages: 1, host: "d.example", to: &queue)
        #expect(queue.start(start + .seconds(1)).isEmpty)
    }

    @Test func `a fetch that is asked for again goes on from its history`() throws {
        var queue = queue(maxAttempts: 3)
        let url = try url("https://one.example/x")
        _ = queue.add(
            try waiter("a"), key: url.key, url: url, giveUpAt: horizon, history: .init(rounds: 4, attempts: 2))
        #expect(queue.start(start).count == 1)
        #expect(queue.failed(url.key, passing, now: start, chance: 0).roundIsOver)
        #expect(queue.outlook(of: try waiter("a").story, generation: 1).history == .init(rounds: 5))
    }

    @Test func `a fetch of an earlier run begins when its origin has asked for`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        let later = start.advanced(by: .seconds(30))
        _ = queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon, notBefore: later)
        #expect(queue.start(start).isEmpty && queue.nextWake == later)
        #expect(queue.start(later).map(\.key) == [url.key])
    }

    @Test func `first pages go before the later pages of every story`() throws {
        var queue = queue(concurrency: 1)
        try add("a", pages: 2, host: "one.example", to: &queue)
        try add("b", pages: 2, host: "one.example", to: &queue)
        var order: [String] = []
        while let next = started(&queue).first {
            order.append(next)
            finish("https://\(next)", &queue)
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
            finish("https://\(next)", &queue)
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
            queue.add($0, key: url.key, url: url, giveUpAt: horizon)
        }
        #expect(joined == [.began, .joined, .joined])
        #expect(queue.start(start).count == 1)
        #expect(queue.waiters(for: url.key) == waiters)
        finish(url.key, &queue)
        #expect(queue.active == 0 && queue.nextWake == nil && queue.waiters(for: url.key).isEmpty)
    }

    @Test func `a running fetch goes on while one waiter is left, and is an orphan without any`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        let (a, b) = (try waiter("a"), try waiter("b"))
        for waiter in [a, b] {
            _ = queue.add(waiter, key: url.key, url: url, giveUpAt: horizon)
        }
        _ = queue.start(start)
        #expect(queue.withdraw(a.story, generation: 1).isEmpty)
        #expect(queue.withdraw(b.story, generation: 2).isEmpty, "another generation's waiters stay")
        #expect(queue.withdraw(b.story, generation: 1) == [url.key])
        let ended = queue.failed(url.key, passing, now: start, chance: 0.5)
        #expect(ended.retrying.isEmpty && ended.givenUp.isEmpty && ended.retryAt == nil)
        #expect(queue.active == 0)
    }

    @Test func `a failure that may pass is tried again after its delay, holding no slot meanwhile`() throws {
        var queue = queue(concurrency: 1)
        try add("a", pages: 1, host: "one.example", to: &queue)
        let key = "https://\(started(&queue)[0])"
        let ended = queue.failed(key, passing, now: start, chance: 0.5)
        #expect(!ended.roundIsOver && ended.retrying.count == 1)
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
        _ = queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: soon)
        _ = queue.start(start)
        let ended = queue.failed(url.key, passing, now: start, chance: 0)
        #expect(ended.givenUp.count == 1 && ended.retrying.isEmpty && ended.retryAt == nil)
        #expect(queue.nextWake == nil)
    }

    @Test func `a failure for good ends the fetch, and the next story starts it anew`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        _ = queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon)
        _ = queue.start(start)
        let final = FetchQueue.Failure(mayPass: false, isNetwork: false, retryAfter: nil)
        let ended = queue.failed(url.key, final, now: start, chance: 0)
        #expect(ended.roundIsOver && ended.retryAt == nil)
        #expect(queue.add(try waiter("b"), key: url.key, url: url, giveUpAt: horizon) == .began)
        #expect(queue.start(start).count == 1)
    }

    @Test func `a new story wakes a fetch that rests, but not one between attempts`() throws {
        var queue = queue(maxAttempts: 2)
        let url = try url("https://one.example/x")
        _ = queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon)
        _ = queue.start(start)
        _ = queue.failed(url.key, passing, now: start, chance: 0.9)
        _ = queue.add(try waiter("b"), key: url.key, url: url, giveUpAt: horizon)
        #expect(queue.start(start).isEmpty, "back-off holds for everyone")
        _ = queue.start(start.advanced(by: .seconds(1)))
        _ = queue.failed(url.key, passing, now: start.advanced(by: .seconds(1)), chance: 0.9)
        _ = queue.add(try waiter("c"), key: url.key, url: url, giveUpAt: horizon)
        #expect(queue.start(start.advanced(by: .seconds(1))).count == 1)
    }

    @Test func `a success wakes what failed on the network`() throws {
        var queue = queue(maxAttempts: 1)
        try add("a", pages: 1, host: "down.example", to: &queue)
        try add("b", pages: 1, host: "up.example", to: &queue)
        _ = started(&queue)
        _ = queue.failed("https://down.example/a/0", passing, now: start, chance: 0.5)
        #expect(started(&queue).isEmpty)
        finish("https://up.example/b/0", &queue)
        #expect(started(&queue) == ["down.example/a/0"])
    }

    @Test func `a picture that was in the cache does not tell that the network is back`() throws {
        var queue = queue(maxAttempts: 1)
        try add("a", pages: 1, host: "down.example", to: &queue)
        try add("b", pages: 2, host: "up.example", to: &queue)
        _ = started(&queue)
        _ = queue.failed("https://down.example/a/0", passing, now: start, chance: 0.5)
        let cached = "https://up.example/b/0"
        queue.satisfy(queue.waiters(for: cached), of: cached)
        queue.succeeded(cached, byRequest: false, now: start)
        #expect(started(&queue).isEmpty)
        finish("https://up.example/b/1", &queue)
        #expect(started(&queue) == ["down.example/a/0"])
    }

    @Test func `a dead host beside a busy one keeps its rests`() throws {
        var queue = queue(maxAttempts: 1)
        try add("up", pages: 4, host: "up.example", to: &queue)
        try add("down", pages: 1, host: "down.example", to: &queue)
        _ = started(&queue)
        finish("https://up.example/up/0", &queue)
        _ = queue.failed("https://down.example/down/0", passing, now: start, chance: 0)
        finish("https://up.example/up/1", &queue, at: start.advanced(by: .seconds(1)))
        #expect(started(&queue, at: start.advanced(by: .seconds(1))).isEmpty)
        finish("https://up.example/up/2", &queue, at: start.advanced(by: .seconds(2)))
        #expect(started(&queue, at: start.advanced(by: .seconds(2))).isEmpty)
    }

    @Test func `whose horizon has passed is told so, while others go on`() throws {
        var queue = queue(maxAttempts: 1)
        let url = try url("https://one.example/x")
        let (old, new) = (try waiter("old"), try waiter("new"))
        _ = queue.add(old, key: url.key, url: url, giveUpAt: start)
        _ = queue.add(new, key: url.key, url: url, giveUpAt: horizon)
        _ = queue.start(start)
        let ended = queue.failed(url.key, passing, now: start, chance: 0)
        #expect(ended.givenUp == [old] && ended.retrying == [new] && ended.retryAt != nil)
    }

    @Test func `a page that is added again is known, and waits once`() throws {
        var queue = queue()
        let url = try url("https://one.example/x")
        #expect(queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon) == .began)
        #expect(queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon) == .known)
        #expect(queue.waiters(for: url.key).count == 1 && queue.queued == 1)
        #expect(queue.start(start).count == 1)
        #expect(queue.start(start).isEmpty)
    }

    @Test func `a page that came too late for a transfer gets the next one, at once`() throws {
        var queue = queue(maxAttempts: 1)
        let url = try url("https://one.example/x")
        let (served, late) = (try waiter("served"), try waiter("late"))
        _ = queue.add(served, key: url.key, url: url, giveUpAt: horizon)
        _ = queue.start(start)
        #expect(queue.add(late, key: url.key, url: url, giveUpAt: horizon) == .joined)
        queue.satisfy([served], of: url.key)
        queue.succeeded(url.key, byRequest: true, now: start)
        #expect(queue.start(start).map(\.key) == [url.key])
        #expect(queue.waiters(for: url.key) == [late])
    }

    @Test func `a story that joins a transfer being cancelled gets another, and no attempt is lost`() throws {
        var queue = queue(maxAttempts: 1)
        let url = try url("https://one.example/x")
        _ = queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon)
        _ = queue.start(start)
        #expect(queue.withdraw(try waiter("a").story, generation: 1) == [url.key])
        _ = queue.add(try waiter("b"), key: url.key, url: url, giveUpAt: horizon)
        queue.cancelled(url.key)
        #expect(queue.start(start).count == 1)
        finish(url.key, &queue)
        #expect(queue.active == 0 && queue.queued == 0)
    }

    @Test func `the retry of a first page goes before later pages`() throws {
        var queue = queue(concurrency: 1)
        try add("a", pages: 3, host: "one.example", to: &queue)
        let key = "https://\(started(&queue)[0])"
        let retryAt = try #require(queue.failed(key, passing, now: start, chance: 0.5).retryAt)
        #expect(started(&queue) == ["one.example/a/1"])
        finish("https://one.example/a/1", &queue)
        #expect(started(&queue, at: retryAt) == ["one.example/a/0"])
    }

    @Test func `what the cache refused rests for a round, whatever attempts are left, ever longer`() throws {
        var queue = queue(maxAttempts: 4)
        try add("a", pages: 1, host: "one.example", to: &queue)
        let refused = FetchQueue.Failure(mayPass: true, isNetwork: false, retryAfter: nil, endsRound: true)
        var now = start
        var rests: [Duration] = []
        for _ in 0..<3 {
            #expect(started(&queue, at: now).count == 1)
            let ended = queue.failed("https://one.example/a/0", refused, now: now, chance: 0)
            let next = try #require(ended.retryAt)
            rests.append(now.duration(to: next))
            now = next
        }
        #expect(rests == [.seconds(2.5), .seconds(5), .seconds(10)])
    }

    @Test func `an origin that asked to be left alone is, also by a new story`() throws {
        var queue = queue(maxAttempts: 1)
        let url = try url("https://one.example/x")
        _ = queue.add(try waiter("a"), key: url.key, url: url, giveUpAt: horizon)
        _ = queue.start(start)
        let busy = FetchQueue.Failure(mayPass: true, isNetwork: false, retryAfter: .seconds(30))
        let retryAt = try #require(queue.failed(url.key, busy, now: start, chance: 0).retryAt)
        #expect(retryAt == start.advanced(by: .seconds(30)))
        _ = queue.add(try waiter("b"), key: url.key, url: url, giveUpAt: horizon)
        #expect(queue.start(start.advanced(by: .seconds(29))).isEmpty)
        #expect(queue.start(retryAt).count == 1)
    }

    @Test func `twenty thousand pages come and go in no time`() throws {
        var queue = queue(maxAttempts: 1)
        let url = try url("https://one.example/shared")
        let clock = SuspendingClock()
        let time = try clock.measure {
            for number in 0..<20_000 {
                let waiter = try waiter("story-\(number)")
                _ = queue.add(waiter, key: url.key, url: url, giveUpAt: horizon)
            }
            _ = queue.start(start)
            _ = queue.failed(url.key, passing, now: start, chance: 0)
            for number in 0..<20 {
                _ = queue.withdraw(try waiter("story-\(number)").story, generation: 1)
            }
            finish(url.key, &queue)
        }
        #expect(time < .seconds(20), "\(time)")
        #expect(queue.active == 0 && queue.queued == 0)
    }
}
