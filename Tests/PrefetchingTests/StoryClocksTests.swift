import Metrics
import Stories
import Testing

@testable import Prefetching

struct StoryClocksTests {
    private let start = SuspendingClock.now
    private let lost = PageError(.connectionLost, "gone", retryAt: nil)
    private var clocks = StoryClocks()

    private func after(_ seconds: Double) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test mutating func `the first page and the settled story are measured once each`() throws {
        var manifest = try StoryScripts.live(pages: 2).manifest
        clocks.start(manifest.key, at: start)
        clocks.wrote(manifest, at: after(0.1))
        #expect(clocks.firstPage.count == 0 && clocks.settled.count == 0)
        // The second page is not what a player shows first.
        manifest.pages[1].state = .cached(try StoryScripts.image())
        clocks.wrote(manifest, at: after(1))
        #expect(clocks.firstPage.count == 0)
        manifest.pages[0].state = .cached(try StoryScripts.image())
        clocks.wrote(manifest, at: after(2))
        clocks.wrote(manifest, at: after(3))
        #expect(clocks.firstPage.count == 1 && clocks.firstPage.sum == 2)
        manifest.settled = true
        clocks.wrote(manifest, at: after(4))
        clocks.wrote(manifest, at: after(5))
        #expect(clocks.settled.count == 1 && clocks.settled.sum == 4 && clocks.running == 0)
    }

    @Test mutating func `a first page may come after the deadline, unless it is given up`() throws {
        var manifest = try StoryScripts.live(pages: 1).manifest
        manifest.settled = true
        clocks.start(manifest.key, at: start)
        clocks.wrote(manifest, at: after(25))
        #expect(clocks.running == 1)
        manifest.pages[0].state = .cached(try StoryScripts.image())
        clocks.wrote(manifest, at: after(40))
        #expect(clocks.firstPage.sum == 40 && clocks.settled.sum == 25 && clocks.running == 0)

        clocks.start(manifest.key, at: start)
        manifest.pages[0].state = .failed(lost)
        clocks.wrote(manifest, at: after(3))
        #expect(clocks.firstPage.count == 1 && clocks.settled.count == 2 && clocks.running == 0)
    }

    @Test mutating func `what was accepted by an earlier run, or is removed, is not measured`() throws {
        var manifest = try StoryScripts.live(pages: 1).manifest
        manifest.settled = true
        clocks.wrote(manifest, at: after(1))
        clocks.start(manifest.key, at: start)
        clocks.stop(manifest.key)
        clocks.wrote(manifest, at: after(1))
        #expect(clocks.settled.count == 0 && clocks.running == 0)
    }
}
