import Stories
import Testing

@testable import Prefetching

@Suite struct ParkedStoriesTests {
    private let start = ParkedStories.Instant.now
    private func key(_ name: String) throws -> StoryKey { StoryKey(group: nil, id: try #require(StoryID(name))) }

    @Test func `what is due the longest comes first, and each once`() throws {
        var parked = ParkedStories()
        parked.park(try key("late"), .init(due: start + .seconds(2)))
        parked.park(try key("early"), .init(due: start + .seconds(1)))
        #expect(parked.next == start + .seconds(1))
        #expect(parked.popDue(start) == nil)
        #expect(try parked.popDue(start + .seconds(5)) == key("early"))
        #expect(try parked.popDue(start + .seconds(5)) == key("late"))
        #expect(parked.popDue(start + .seconds(5)) == nil && parked.count == 2 && parked.next == nil)
    }

    @Test func `a story that was removed, or given another place, does not come up at the old one`() throws {
        var parked = ParkedStories()
        parked.park(try key("gone"), .init(due: start, deadline: start))
        parked.remove(try key("gone"))
        parked.park(try key("moved"), .init(due: start))
        parked.park(try key("moved"), .init(due: start + .seconds(9)))
        #expect(parked.popDue(start + .seconds(1)) == nil)
        #expect(parked.popOverdue(start + .seconds(1)) == nil)
        #expect(try parked.popDue(start + .seconds(9)) == key("moved"))
    }

    @Test func `a deadline is told once, and the story stays parked`() throws {
        var parked = ParkedStories()
        parked.park(try key("a"), .init(due: start + .seconds(100), deadline: start + .seconds(1)))
        #expect(parked.nextDeadline == start + .seconds(1))
        #expect(try parked.popOverdue(start + .seconds(1)) == key("a"))
        #expect(parked.popOverdue(start + .seconds(1)) == nil && parked.nextDeadline == nil)
        #expect(try parked[key("a")] == .init(due: start + .seconds(100)))
    }

    @Test func `when the network is back, what it failed is due, and nothing else`() throws {
        var parked = ParkedStories()
        parked.park(try key("severed"), .init(due: start + .seconds(600), isSevered: true))
        parked.park(try key("refused"), .init(due: start + .seconds(600)))
        parked.networkIsBack(start)
        #expect(try parked.popDue(start) == key("severed"))
        #expect(parked.popDue(start) == nil)
    }

    @Test func `what cannot be done is tried again ever rarer, and is news once`() throws {
        var parked = ParkedStories()
        parked.park(try key("a"), .init(due: start, history: .init(rounds: 2), isSevered: true))
        #expect(try parked.popDue(start) == key("a"))
        #expect(try parked.postpone(key("a"), isDeadline: false, start))
        #expect(parked.popDue(start + .seconds(4)) == nil)
        #expect(try parked.popDue(start + .seconds(5)) == key("a"))
        #expect(try !parked.postpone(key("a"), isDeadline: true, start))
        #expect(parked.nextDeadline == start + .seconds(10))
        #expect(try parked[key("a")]?.isSevered == true && parked[key("a")]?.history.rounds == 2)
    }
}
