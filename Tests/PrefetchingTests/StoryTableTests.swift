import MediaCache
import Platform
import Stories
import Testing

@testable import Prefetching

@Suite struct `The table of stories` {
    private let container = Container.fallback(nil)

    private func key(_ id: String) throws -> StoryKey { StoryKey(group: nil, id: try #require(StoryID(id))) }

    @Test func `the newest story that can be shown is the latest`() throws {
        var table = StoryTable()
        #expect(try table.update(StoryScripts.record("old", receivedAt: 1)).isEmpty, "nothing to show yet")
        #expect(try table.update(StoryScripts.record("old", receivedAt: 1, cached: 1)) == [container])
        #expect(try table.update(StoryScripts.record("new", receivedAt: 2)).isEmpty)
        #expect(try table.update(StoryScripts.record("old", receivedAt: 1, cached: 2)) == [container], "each revision")
        #expect(try table.update(StoryScripts.record("new", receivedAt: 2, settled: true)) == [container])
        #expect(try table.update(StoryScripts.record("old", receivedAt: 1, cached: 2, settled: true)).isEmpty)
        #expect(table.latest[container] == (try key("new")))
    }

    @Test func `stories are counted by their container`() throws {
        var table = StoryTable()
        #expect(table.countsByContainer.isEmpty)
        for id in ["a", "b", "a"] { _ = try table.update(StoryScripts.record(id, receivedAt: 1)) }
        #expect(table.countsByContainer == [container: 2])
    }

    @Test func `a story replaced by one with nothing to show gives way to the one before it`() throws {
        var table = StoryTable()
        _ = try table.update(StoryScripts.record("a", receivedAt: 1, settled: true))
        _ = try table.update(StoryScripts.record("b", receivedAt: 2, settled: true))
        #expect(try table.update(StoryScripts.record("b", receivedAt: 3)) == [container])
        #expect(table.latest[container] == (try key("a")))
        #expect(try table.update(StoryScripts.record("b", receivedAt: 3, cached: 1)) == [container])
        #expect(table.latest[container] == (try key("b")))
    }

    @Test func `a story replaced while the clock was set back is no longer the newest`() throws {
        var table = StoryTable()
        _ = try table.update(StoryScripts.record("a", receivedAt: 5, settled: true))
        _ = try table.update(StoryScripts.record("b", receivedAt: 6, settled: true))
        #expect(try table.update(StoryScripts.record("b", receivedAt: 4, settled: true)) == [container])
        #expect(table.latest[container] == (try key("a")))
    }

    @Test func `a story that moves leaves the latest of its container to another, or to none`() throws {
        let group = try #require(GroupID("g"))
        var table = StoryTable()
        _ = try table.update(StoryScripts.record("a", receivedAt: 1, settled: true, container: .fallback(group)))
        let outdated = try table.update(
            StoryScripts.record("a", receivedAt: 2, settled: true, container: .provisioned(group)))
        #expect(Set(outdated) == [.fallback(group), .provisioned(group)])
        #expect(table.latest[.fallback(group)] == nil)
        #expect(table.latest[.provisioned(group)] == (try key("a")))
        #expect(table.containers == [.provisioned(group)])
    }

    @Test func `of stories received in the same moment the name decides, whichever came first`() throws {
        for ids in [["a", "b"], ["b", "a"]] {
            var table = StoryTable()
            for id in ids { _ = try table.update(StoryScripts.record(id, receivedAt: 1, settled: true)) }
            #expect(table.latest[container] == (try key("b")))
        }
    }

    @Test func `stories are counted by state`() throws {
        var table = StoryTable()
        _ = try table.update(StoryScripts.record("a", receivedAt: 1))
        _ = try table.update(StoryScripts.record("b", receivedAt: 1, cached: 1, settled: true))
        _ = try table.update(StoryScripts.record("b", receivedAt: 1, cached: 2, settled: true))
        #expect(table.counts() == [.prefetching: 1, .ready: 1])
    }

    @Test func `a story from a clock that was ahead is shown only until that is put right`() throws {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let ahead = now.advanced(bySeconds: 3650 * 86_400)
        func record(_ id: String, _ moment: Timestamp, cached: Int = 1) throws -> StoryRecord {
            try StoryScripts.record(id, receivedAt: moment.milliseconds, cached: cached)
        }
        var table = StoryTable()
        _ = table.update(try record("a", now), now: now)
        _ = table.update(try record("b", now.advanced(bySeconds: 1)), now: now)
        #expect(table.update(try record("ahead", ahead), now: ahead) == [container])
        #expect(table.latest[container] == (try key("ahead")))
        // Whichever is written next: the newest of the others is to be shown.
        #expect(table.update(try record("a", now, cached: 2), now: now.advanced(bySeconds: 9)) == [container])
        #expect(table.latest[container] == (try key("b")))
        #expect(table.update(try record("c", now.advanced(bySeconds: 10)), now: now) == [container])
        #expect(table.latest[container] == (try key("c")))
        // A little ahead is newer, as ever.
        #expect(table.update(try record("skewed", now.advanced(bySeconds: 3600)), now: now) == [container])
        #expect(table.latest[container] == (try key("skewed")))
        // Found after a restart, in any order.
        var restarted = StoryTable()
        for record in table.all { _ = restarted.update(record, now: now) }
        #expect(restarted.latest[container] == (try key("skewed")))
    }
}
