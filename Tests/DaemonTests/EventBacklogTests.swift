import Testing

@testable import Daemon

@Suite("Events that wait for their readers")
struct EventBacklogTests {
    @Test("Who comes later is told what has happened since, and nothing of before")
    func since() throws {
        var backlog = EventBacklog<String>(capacity: 10)
        let early = backlog.next
        backlog.append("a")
        let late = backlog.next
        backlog.append("b")
        let last = backlog.next
        let taken = backlog.take()
        let batch = try #require(taken)
        #expect(batch.events[batch.share(since: early).start...] == ["a", "b"])
        #expect(batch.events[batch.share(since: late).start...] == ["b"])
        #expect(batch.events[batch.share(since: last).start...] == [])
        let nothing = backlog.take()
        #expect(nothing == nil)
        // The numbers go on.
        backlog.append("c")
        let more = backlog.take()
        let next = try #require(more)
        for number in [early, late, last] { #expect(next.events[next.share(since: number).start...] == ["c"]) }
    }

    @Test("What had no room is missed by those alone who were there by then")
    func missed() throws {
        var backlog = EventBacklog<Int>(capacity: 2)
        var numbers: [Int] = []
        for event in 0..<5 {
            numbers.append(backlog.next)
            backlog.append(event)
        }
        numbers.append(backlog.next)
        let taken = backlog.take()
        let batch = try #require(taken)
        #expect(batch.events == [0, 1])
        #expect(numbers.map { batch.share(since: $0).start } == [0, 1, 2, 2, 2, 2])
        #expect(numbers.map { batch.share(since: $0).missed } == [3, 3, 3, 2, 1, 0])
        backlog.append(5)
        let rest = backlog.take()
        #expect(rest?.events == [5] && rest?.missed == 0)
    }
}
