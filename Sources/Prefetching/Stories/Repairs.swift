import Hashing
import MediaCache
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

    /// The same picture is another in each container.
    private struct Picture: Hashable {
        let content: ContentID
        let container: Container
    }

    private struct Loss {
        var missing: Set<Gap> = []
        /// Those of them that have failed for the time being.
        var failed: Set<Gap> = []
        /// It is not known who misses it, or nothing can take its place.
        var isUndecided = false
    }

    private var losses: [Picture: Loss] = [:]
    private var contents: [StoryKey: ContentID] = [:]
    private var waiter: CheckedContinuation<Void, Never>?

    /// Pictures lost, each counted once however often it was found to be.
    var count: Int { losses.count }

    /// Those of them that nobody misses any more.
    var repaired: Int { losses.values.count { $0.missing.isEmpty && !$0.isUndecided } }

    /// Notes a lost picture and the pages that miss it, each with the name of its notification's content. Where it was
    /// noted before, they are added to those known.
    mutating func lost(_ object: LostObject, _ gaps: [Gap: ContentID], isUndecided: Bool) {
        var loss = self[object] ?? Loss()
        loss.missing.formUnion(gaps.keys)
        loss.failed.subtract(gaps.keys)
        loss.isUndecided = isUndecided
        self[object] = loss
        for (gap, content) in gaps { contents[gap.story] = content }
    }

    private subscript(object: LostObject) -> Loss? {
        get { losses[Picture(content: object.content, container: object.container)] }
        set { losses[Picture(content: object.content, container: object.container)] = newValue }
    }

    /// A revision is on disk, whose notification has that name.
    mutating func wrote(_ manifest: Manifest, content: ContentID) {
        guard let awaited = contents[manifest.key] else { return }
        // Another story in its place misses nothing.
        guard awaited == content else { return gone(manifest.key) }
        for picture in losses.keys {
            for gap in losses[picture]?.missing ?? [] where gap.story == manifest.key {
                switch manifest.pages[gap.place].state {
                case .cached: found(gap, of: picture)
                case .failed: losses[picture]?.failed.insert(gap)
                case .pending: losses[picture]?.failed.remove(gap)
                }
            }
        }
        resumeIfDecided()
    }

    /// The story is no more.
    mutating func gone(_ key: StoryKey) {
        guard contents.removeValue(forKey: key) != nil else { return }
        for picture in losses.keys {
            for gap in losses[picture]?.missing ?? [] where gap.story == key { found(gap, of: picture) }
        }
        resumeIfDecided()
    }

    private mutating func found(_ gap: Gap, of picture: Picture) {
        losses[picture]?.missing.remove(gap)
        losses[picture]?.failed.remove(gap)
    }

    /// Whether of every page that is known to miss a picture it is known whether it got it.
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
