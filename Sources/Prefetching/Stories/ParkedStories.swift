import Stories

/// The stories that wait on disk, since those in memory take up what they may: when each is to be taken up again, and
/// the little that its manifest does not tell. A plain value, owned by `Prefetcher`.
struct ParkedStories: Sendable {
    typealias Instant = SuspendingClock.Instant

    struct Place: Equatable {
        /// From when on it wants to be taken up; those who want it longest come first.
        var due: Instant
        /// When it is settled whatever has come; nil where it is settled.
        var deadline: Instant?
        /// What its fetches have been through.
        var history = FetchQueue.History()
        /// The network failed it: when that is back, it wants to be taken up.
        var isSevered = false
        /// Pages are wanted, too, that its manifest has given up: its payload came again.
        var wantsAllMissing = false
        /// How often something could not be done for it, since it was parked.
        var failures = 0
    }

    private var places: [StoryKey: Place] = [:]
    private var dues = DueTimes<StoryKey>()
    private var deadlines = DueTimes<StoryKey>()

    var count: Int { places.count }

    /// When the first of them is due, at the earliest.
    var next: Instant? { places.isEmpty ? nil : dues.next }

    /// When the first of them is to be settled, at the earliest.
    var nextDeadline: Instant? { places.isEmpty ? nil : deadlines.next }

    subscript(key: StoryKey) -> Place? { places[key] }

    /// Parks a story, or gives it another place.
    mutating func park(_ key: StoryKey, _ place: Place) {
        let former = places.updateValue(place, forKey: key)
        if former?.due != place.due { dues.append(key, due: place.due) }
        if let deadline = place.deadline, former?.deadline != deadline { deadlines.append(key, due: deadline) }
    }

    mutating func remove(_ key: StoryKey) {
        places[key] = nil
    }

    /// The one that has been due the longest. It stays parked; what becomes of it is to follow, or it comes up no more.
    mutating func popDue(_ now: Instant) -> StoryKey? {
        while let (due, key) = dues.popDue(now) {
            if places[key]?.due == due { return key }
        }
        return nil
    }

    /// One whose deadline has passed. It stays parked, and needs no deadline any more.
    mutating func popOverdue(_ now: Instant) -> StoryKey? {
        while let (deadline, key) = deadlines.popDue(now) {
            guard places[key]?.deadline == deadline else { continue }
            places[key]?.deadline = nil
            return key
        }
        return nil
    }

    /// What was to be done for the story failed: it is tried again, ever rarer. True where that is news.
    mutating func postpone(_ key: StoryKey, isDeadline: Bool, _ now: Instant) -> Bool {
        guard var place = places[key] else { return false }
        place.failures += 1
        let again = now.advanced(by: .seconds(min(5 * place.failures, 60)))
        if isDeadline { place.deadline = again } else { place.due = again }
        park(key, place)
        return place.failures == 1
    }

    /// What the network failed is due now.
    mutating func networkIsBack(_ now: Instant) {
        for (key, place) in places where place.isSevered && place.due > now {
            places[key]?.due = now
            dues.append(key, due: now)
        }
    }
}
