import Hashing
import Stories

/// The pictures that a verification found lost, and the pages that miss them, until their manifests on disk say what has
/// become of them. A plain value, owned by `Prefetcher`; its continuation is resumed once.
struct Repairs {
    /// A page whose picture was lost.
    struct Gap: Hashable {
        let story: StoryKey
        /// In its manifest's pages.
        let place: Int
    }

    private struct Loss {
        var missing: Set<Gap>
        /// Those of them that have failed for the time being.
        var failed: Set<Gap> = []
    }

    private var losses: [Int: Loss] = [:]
    private var contents: [StoryKey: ContentID] = [:]
    private var count = 0
    private var waiter: CheckedContinuation<Void, Never>?

    /// Pictures lost that nobody misses any more.
    private(set) var repaired = 0

    /// Notes a lost picture and the pages that miss it, each with the name of its notification's content.
    mutating func lost(_ gaps: [Gap: ContentID]) {
        count += 1
        guard !gaps.isEmpty else { return repaired += 1 }
        losses[count] = Loss(missing: Set(gaps.keys))
        for (gap, content) in gaps { contents[gap.story] = content }
    }

    /// A revision is on disk, whose notification has that name.
    mutating func wrote(_ manifest: Manifest, content: ContentID) {
        guard let awaited = contents[manifest.key] else { return }
        // Another story in its place misses nothing.
        guard awaited == content else { return gone(manifest.key) }
        for number in losses.keys {
            for gap in losses[number]?.missing ?? [] where gap.story == manifest.key {
                switch manifest.pages[gap.place].state {
                case .cached: found(gap, of: number)
                case .failed: losses[number]?.failed.insert(gap)
                case .pending: losses[number]?.failed.remove(gap)
                }
            }
        }
        resumeIfDecided()
    }

    /// The story is no more.
    mutating func gone(_ key: StoryKey) {
        guard contents.removeValue(forKey: key) != nil else { return }
        for number in losses.keys {
            for gap in losses[number]?.missing ?? [] where gap.story == key { found(gap, of: number) }
        }
        resumeIfDecided()
    }

    private mutating func found(_ gap: Gap, of number: Int) {
        losses[number]?.missing.remove(gap)
        losses[number]?.failed.remove(gap)
        guard losses[number]?.missing.isEmpty == true else { return }
        losses[number] = nil
        repaired += 1
    }

    /// Whether of every page that misses a picture it is known whether it got it.
    private var isDecided: Bool { losses.values.allSatisfy { $0.missing == $0.failed } }

    /// Has `continuation` resumed once that is so.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiter = continuation
        resumeIfDecided()
    }

    private mutating func resumeIfDecided() {
        if isDecided { stopWaiting() }
    }

    /// Resumes who waits, whatever is still missing.
    mutating func stopWaiting() {
        waiter?.resume()
        waiter = nil
    }
}
