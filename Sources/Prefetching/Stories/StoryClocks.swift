import Metrics
import Stories

/// How long the stories accepted by this process take to their first page and until they are settled. A plain value, owned
/// by `Prefetcher`.
///
/// A story that an earlier run accepted has no clock here, and is not measured: what it waited for was not only ours.
struct StoryClocks: Sendable {
    typealias Instant = SuspendingClock.Instant

    private struct Clock {
        let start: Instant
        var awaitsFirstPage = true
        var awaitsSettlement = true
    }

    private var clocks: [StoryKey: Clock] = [:]
    /// From the beginning of acceptance until a manifest that names the first page cached was durable.
    private(set) var firstPage = Histogram()
    /// From the beginning of acceptance until a manifest that is settled was durable.
    private(set) var settled = Histogram()

    /// Stories that something is still to be measured of.
    var running: Int { clocks.count }

    /// The story is accepted, in the place of the one of its key; that began at `moment`.
    mutating func start(_ key: StoryKey, at moment: Instant) {
        clocks[key] = Clock(start: moment)
    }

    /// The story is removed.
    mutating func stop(_ key: StoryKey) {
        clocks[key] = nil
    }

    /// The manifest is durable.
    mutating func wrote(_ manifest: Manifest, at moment: Instant) {
        guard var clock = clocks[manifest.key] else { return }
        let time = clock.start.duration(to: moment)
        let first = manifest.pages.first?.state
        if clock.awaitsFirstPage, first?.isCached == true {
            clock.awaitsFirstPage = false
            firstPage.observe(time)
        }
        if clock.awaitsSettlement, manifest.settled {
            clock.awaitsSettlement = false
            settled.observe(time)
        }
        // A settled story's first page may come late, in a later round, but not one that is given up.
        let isOver = !clock.awaitsSettlement && (!clock.awaitsFirstPage || first?.isWanted != true)
        clocks[manifest.key] = isOver ? nil : clock
    }
}
