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
        /// Rounds that failed: the rests between further ones go on from there.
        var rounds = 0
        /// The network failed it: when that is back, it wants to be taken up.
        var isSevered = false
    }

    private var places: [StoryKey: Place] = [:]
    private var dues = DueTimes<StoryKey>()
    private var deadlines = DueTimes<StoryKey>()

    var count: Int { places.count }

    /// When the first of them is due, at the earliest.
    var next: Instant? { places.isEmpty ? nil : dues.next }

    /// When the first of them is to be settled, at the earliest.
    var nextDeadline: Instant? { deadlines.next }

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

    /// Takes out the one that has been due the longest.
    mutating func popDue(_ now: Instant) -> (key: StoryKey, place: Place)? {
        while let (due, key) = dues.popDue(now) {
            guard let place = places[key], place.due == due else { continue }
            places[key] = nil
            return (key, place)
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

    /// What the network failed is due now.
    mutating func networkIsBack(_ now: Instant) {
        for (key, place) in places where place.isSevered && place.due > now {
            places[key]?.due = now
            dues.append(key, due: now)
        }
    }
}
