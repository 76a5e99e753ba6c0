import Hashing
import MediaCache
import Platform
import Stories

/// A story that something may still happen to: a picture is awaited, or its manifest is to be written. A pure value,
/// owned by `Prefetcher`, that knows what the manifest must say and when that must be on disk.
struct LiveStory: Sendable {
    typealias Instant = SuspendingClock.Instant

    /// How soon a change must be seen by the player.
    enum Urgency: Comparable {
        case none
        /// When convenient: what is told is not new to a player.
        case later
        /// Together with what else lands in the next moment.
        case soon
        case now
    }

    let container: Container
    /// Tells the stories apart that had this key one after the other.
    let generation: Int
    /// The name of the notification's content: the same payload again is the same story.
    let content: ContentID
    /// When it is settled whatever has come.
    let deadline: Instant
    /// About how many bytes it takes, with what it waits for.
    let footprint: Int
    /// What its fetches went through while it was parked.
    let history: FetchQueue.History
    /// As of the last change; the revision is the last one written, or being written.
    private(set) var manifest: Manifest
    /// Places in `manifest.pages` whose first round has not ended.
    private var openPlaces: Set<Int> = []
    /// Places that a fetch, running or resting, may still bring a picture for.
    private(set) var awaitedPlaces: Set<Int> = []
    /// Keep the pictures that no manifest on disk names yet, by their places: those that the revision being written
    /// names, and later ones.
    private var holdsOfRevision: [Int: Hold] = [:]
    private var holds: [Int: Hold] = [:]
    /// What has ended for pages, by their places: true for a page's picture or its round, false for an attempt alone. As
    /// with the holds, of the revision being written, and since then.
    private(set) var newsOfRevision: [Int: Bool] = [:]
    private var news: [Int: Bool] = [:]
    /// The manifest on disk does not say what this one does.
    private(set) var isChanged = false
    /// Writes that failed since one succeeded.
    private(set) var failedWrites = 0
    /// The change is one that a player waits for.
    var isUrgent = false
    /// When the change is to be written; set by whoever plans the writes.
    var writeDue: Instant?

    init(
        _ manifest: Manifest, container: Container, generation: Int, content: ContentID, deadline: Instant,
        history: FetchQueue.History = FetchQueue.History()
    ) {
        self.manifest = manifest
        footprint = manifest.footprint
        self.container = container
        self.generation = generation
        self.content = content
        self.deadline = deadline
        self.history = history
    }

    var key: StoryKey { manifest.key }

    /// Whether the manifest, whose notification has that name, is one of this story's: their pages are the same.
    func isOf(_ manifest: Manifest, content: ContentID) -> Bool {
        self.content == content && self.manifest.pages.count == manifest.pages.count
    }

    /// Pages are awaited that the manifest has given up.
    var wantsAllMissing: Bool { awaitedPlaces.contains { !manifest.pages[$0].state.isWanted } }

    /// Nothing more will happen to it by itself.
    var isAtRest: Bool { manifest.settled && awaitedPlaces.isEmpty && !isChanged }

    /// A fetch is asked for the page at `place`. Where its first round has ended before, the story need not wait for it.
    mutating func awaitPage(_ place: Int) {
        awaitedPlaces.insert(place)
        if !manifest.settled, case .pending = manifest.pages[place].state { openPlaces.insert(place) }
    }

    /// The picture of the page at `place` is in the container; `attempts` requests more were made for it. `hold` keeps it
    /// there until a manifest on disk names it.
    mutating func pageCached(_ place: Int, _ image: CachedImage, attempts: Int, hold: Hold? = nil) -> Urgency {
        holds[place] = hold
        awaitedPlaces.remove(place)
        openPlaces.remove(place)
        news[place] = true
        manifest.pages[place].state = .cached(image)
        manifest.pages[place].attempts += attempts
        let settles = settleIfDone()
        isChanged = true
        return place == 0 || settles ? .now : .soon
    }

    /// An attempt for the page at `place` failed, after `attempts` requests more; `error.retryAt` says when the next one
    /// is due, nil that there is none.
    mutating func pageFailed(_ place: Int, _ error: PageError, attempts: Int, roundIsOver: Bool) -> Urgency {
        if error.retryAt == nil { awaitedPlaces.remove(place) }
        if roundIsOver { openPlaces.remove(place) }
        // Before its first round has ended a page is pending; a failed one stays failed through later rounds.
        let wasFailed = if case .failed = manifest.pages[place].state { true } else { false }
        news[place] = roundIsOver || news[place] == true
        manifest.pages[place].state = roundIsOver || wasFailed ? .failed(error) : .pending(after: error)
        manifest.pages[place].attempts += attempts
        let settles = settleIfDone()
        isChanged = true
        if settles { return .now }
        return roundIsOver && !wasFailed ? .soon : .later
    }

    /// The picture of the page at `place` is no longer in the container.
    mutating func pageLost(_ place: Int) {
        manifest.pages[place].state = .pending()
        news[place] = nil
        newsOfRevision[place] = nil
        isChanged = true
    }

    /// The manifest is no longer on disk.
    mutating func manifestLost() {
        isChanged = true
    }

    /// Time is up: who waits for the story may go on.
    mutating func deadlinePassed() -> Urgency {
        guard !manifest.settled else { return .none }
        manifest.settled = true
        openPlaces = []
        isChanged = true
        return .now
    }

    /// Settles a story that nothing is awaited for, such as one whose pictures were all there.
    mutating func settleIfNothingIsAwaited() {
        if settleIfDone() { isChanged = true }
    }

    /// Takes the next revision, to be written.
    mutating func beginWriting(at moment: Timestamp) -> Manifest {
        isChanged = false
        isUrgent = false
        writeDue = nil
        holdsOfRevision.merge(holds) { $1 }
        holds = [:]
        newsOfRevision.merge(news) { $0 || $1 }
        news = [:]
        manifest.revision += 1
        manifest.updatedAt = moment
        return manifest
    }

    /// The revision taken is on disk, with all that follows from it; or not, and another has to be written.
    mutating func endWriting(succeeded: Bool) {
        failedWrites = succeeded ? 0 : failedWrites + 1
        if succeeded {
            holdsOfRevision = [:]
            newsOfRevision = [:]
        }
        if !succeeded { isChanged = true }
    }

    private mutating func settleIfDone() -> Bool {
        guard !manifest.settled, openPlaces.isEmpty else { return false }
        manifest.settled = true
        return true
    }
}
