import MediaCache
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

@Suite(.timeLimit(.minutes(1))) struct `Turns at stories, and at making room` {
    @Test func `a place is taken until its turn has ended, and others are not`() throws {
        let story = Turns.Place.story(StoryKey(group: nil, id: try #require(StoryID("a"))))
        var turns = Turns()
        for isFree in [true, false] {
            let isMine = turns.take(story)
            #expect(isMine == isFree && turns.isTaken(story) && !turns.isTaken(.room))
        }
        let isMine = turns.take(.room)
        #expect(isMine)
        var next = turns.end(story)
        #expect(next == nil && !turns.isTaken(story) && turns.isTaken(.room))
        next = turns.end(.room)
        #expect(next == nil && turns.isEmpty)
    }

    @Test func `who waits comes in the order of the calls`() async throws {
        let fixture = try await PrefetchFixture()
        let prefetcher = fixture.prefetcher
        let order = Locked<[Int]>([])
        await prefetcher.takeRoomTurn()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    await prefetcher.takeRoomTurn()
                    order.withLock { $0.append(number) }
                    await prefetcher.endRoomTurn()
                })
            #expect(await eventually { await prefetcher.turns.waiters(for: .room) == number + 1 })
        }
        await prefetcher.endRoomTurn()
        for task in tasks { await task.value }
        #expect(order.withLock { $0 } == [0, 1, 2])
        #expect(await prefetcher.turns.isEmpty)
    }

    @Test func `what goes for the limit of bytes goes one turn at a time`() async throws {
        let fixture = try await PrefetchFixture()
        let prefetcher = fixture.prefetcher
        fixture.serve(["/0", "/1", "/2"])
        for number in 0..<3 {
            try await fixture.accept("\(number)", ["/\(number)"])
            _ = try await fixture.waitFor("\(number)") { $0.state == .ready }
        }
        #expect(await fixture.isAtRest())
        await prefetcher.takeRoomTurn()
        let eviction = Task { await prefetcher.evict(toBytes: 0) }
        let isEvicting = { @Sendable () async in await prefetcher.turns.waiters(for: .room) == 1 }
        // One story goes, and then who came meanwhile has the turn.
        for stories in [3, 2] {
            #expect(await eventually { await isEvicting() })
            #expect(await prefetcher.table.all.reduce(0) { count, _ in count + 1 } == stories)
            let next = Task { await prefetcher.takeRoomTurn() }
            #expect(await eventually { await prefetcher.turns.waiters(for: .room) == 2 })
            await prefetcher.endRoomTurn()
            await next.value
        }
        await prefetcher.endRoomTurn()
        #expect(await eviction.value.stories == 3)
    }
}
