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
    /// As of the last change; the revision is the last one written, or being written.
    private(set) var manifest: Manifest
    /// Places in `manifest.pages` whose first round has not ended.
    private var openPlaces: Set<Int>
    /// Places that a fetch, running or resting, may still bring a picture for.
    private(set) var awaitedPlaces: Set<Int>
    private(set) var isChanged = false
    private(set) var isWriting = false

    init(_ manifest: Manifest, container: Container, generation: Int, content: ContentID, deadline: Instant) {
        self.manifest = manifest
        self.container = container
        self.generation = generation
        self.content = content
        self.deadline = deadline
        awaitedPlaces = []
        openPlaces = []
    }

    var key: StoryKey { manifest.key }

    /// Nothing more will happen to it by itself.
    var isAtRest: Bool { manifest.settled && awaitedPlaces.isEmpty && !isChanged && !isWriting }

    /// A fetch has been asked for the page at `place`.
    mutating func awaitPage(_ place: Int) {
        awaitedPlaces.insert(place)
        if !manifest.settled { openPlaces.insert(place) }
    }

    /// The picture of the page at `place` is in the container.
    mutating func pageCached(_ place: Int, _ image: CachedImage, attempts: Int) -> Urgency {
        awaitedPlaces.remove(place)
        openPlaces.remove(place)
        manifest.pages[place].state = .cached(image)
        manifest.pages[place].attempts += attempts
        let settles = settleIfDone()
        return changed(place == 0 || settles ? .now : .soon)
    }

    /// An attempt for the page at `place` failed; `error.retryAt` says when the next one is due, nil that there is none.
    mutating func pageFailed(_ place: Int, _ error: PageError, attempts: Int, roundIsOver: Bool) -> Urgency {
        if error.retryAt == nil { awaitedPlaces.remove(place) }
        if roundIsOver { openPlaces.remove(place) }
        // Before its first round has ended a page is pending; a failed one stays failed through later rounds.
        let wasFailed = if case .failed = manifest.pages[place].state { true } else { false }
        manifest.pages[place].state = roundIsOver || wasFailed ? .failed(error) : .pending(after: error)
        manifest.pages[place].attempts += attempts
        return changed(settleIfDone() ? .now : .soon)
    }

    /// Time is up: who waits for the story may go on.
    mutating func deadlinePassed() -> Urgency {
        guard !manifest.settled else { return .none }
        manifest.settled = true
        openPlaces = []
        return changed(.now)
    }

    /// Settles a story that nothing is awaited for, such as one whose pictures were all there.
    mutating func settleIfNothingIsAwaited() {
        if settleIfDone() { isChanged = true }
    }

    /// The manifest on disk does not say what this one does.
    mutating func markChanged() {
        isChanged = true
    }

    /// Takes the next revision, to be written.
    mutating func beginWriting(at moment: Timestamp) -> Manifest {
        isChanged = false
        isWriting = true
        manifest.revision += 1
        manifest.updatedAt = moment
        return manifest
    }

    /// The revision taken is on disk, or is not and has to be tried again.
    mutating func endWriting(succeeded: Bool) {
        isWriting = false
        if !succeeded { isChanged = true }
    }

    private mutating func settleIfDone() -> Bool {
        guard !manifest.settled, openPlaces.isEmpty else { return false }
        manifest.settled = true
        return true
    }

    private mutating func changed(_ urgency: Urgency) -> Urgency {
        isChanged = true
        return urgency
    }
}
