import Stories
import Platform
import Testing

@testable import Prefetching

@Suite struct `Queues that take turns` {
    private func story(_ id: String) throws -> StoryKey {
        StoryKey(group: nil, id: try #require(StoryID(id)))
    }

    @Test func `what came first leaves first, also after much has come and gone`() {
        var queue = FirstInFirstOut<Int>()
        var next = 0
        for number in 0..<1000 {
            queue.append(number)
            guard number % 3 > 0 else { continue }
            #expect(queue.popFirst() == next)
            next += 1
        }
        while let number = queue.popFirst() {
            #expect(number == next)
            next += 1
        }
        #expect(next == 1000 && queue.isEmpty)
    }

    @Test func `groups take turns, each in its own order`() {
        var queue = RoundRobin<String, Int>()
        for number in 1...3 { queue.append(number, of: "a") }
        queue.append(10, of: "b")
        var order: [Int] = []
        while let next = queue.popFirst() { order.append(next) }
        #expect(order == [1, 10, 2, 3] && queue.isEmpty)
        queue.append(4, of: "a")
        #expect(queue.popFirst() == 4)
    }

    @Test func `a full host is passed over and keeps its place`() throws {
        var hosts = HostQueues()
        let story = try story("a")
        for key in ["one/0", "two/0"] {
            hosts.append(key, of: story, host: String(key.prefix(3)), isFirst: true)
        }
        hosts.occupy("one", isLate: false)
        #expect(hosts.popFirst(perHost: 1) { _ in true } == "two/0")
        #expect(hosts.popFirst(perHost: 1) { _ in true } == nil)
        hosts.vacate("one", isLate: false)
        #expect(hosts.popFirst(perHost: 1) { _ in true } == "one/0")
    }

    @Test func `the last of several slots is for first pages alone`() throws {
        var hosts = HostQueues()
        let story = try story("a")
        for key in ["later/0", "later/1", "later/2"] { hosts.append(key, of: story, host: "one", isFirst: false) }
        for _ in 0..<2 {
            #expect(hosts.popFirst(perHost: 3) { _ in true } != nil)
            hosts.occupy("one", isLate: false)
        }
        #expect(hosts.popFirst(perHost: 3) { _ in true } == nil)
        hosts.append("first", of: story, host: "one", isFirst: true)
        #expect(hosts.popFirst(perHost: 3) { _ in true } == "first")
    }

    @Test func `what is wanted no longer is passed over`() throws {
        var hosts = HostQueues()
        let story = try story("a")
        for key in ["x", "y", "z"] { hosts.append(key, of: story, host: "one", isFirst: false) }
        #expect(hosts.popFirst(perHost: 1) { $0 == "z" } == "z")
        #expect(hosts.popFirst(perHost: 1) { _ in true } == nil)
        hosts.append("w", of: story, host: "one", isFirst: false)
        #expect(hosts.popFirst(perHost: 1) { _ in true } == "w")
    }

    @Test func `a host that is late with a connection is asked for no more until it has answered`() throws {
        var hosts = HostQueues()
        for number in 0..<3 { hosts.append("a\(number)", of: try story("s"), host: "a", isFirst: true) }
        hosts.append("b", of: try story("s"), host: "b", isFirst: true)
        #expect(hosts.popFirst(perHost: 6) { _ in true } == "a0")
        hosts.occupy("a", isLate: true)
        #expect(hosts.popFirst(perHost: 6) { _ in true } == "b")
        #expect(hosts.popFirst(perHost: 6) { _ in true } == nil)
        hosts.vacate("a", isLate: true)
        #expect(hosts.popFirst(perHost: 6) { _ in true } == "a1")
    }
}
