/// What writing to containers failed with last, of those where it may still fail. A plain value, owned by
/// `CacheStorage`. At most a hundred are kept: the first ones stand for the rest.
struct ContainerTroubles {
    private static let most = 100

    /// Why a container takes nothing, or not all.
    struct Trouble {
        /// The first of its kind, so that what is told stays the same for as long as it is so.
        let failure: CacheFailure
        /// What would be free if there were room for what found none, with all that was under way beside it.
        let needed: Room
        /// The bytes of the largest that found no room, as far as they are known.
        let largest: Int64
        /// The partials that were there when it was noted last: that one of these is stored later says nothing, as it
        /// had its room by then.
        var witnesses: Set<String> = []
        /// When it was tried last whether it has passed; nil where that is to be tried at once.
        var lastTrial: SuspendingClock.Instant?
    }

    private var current: [Container: Trouble] = [:]

    subscript(container: Container) -> Trouble? { current[container] }

    var containers: Set<Container> { Set(current.keys) }

    /// Notes a failed write, where it tells something of its container.
    mutating func note(_ failure: CacheFailure, in container: Container, needed: Room = Room(), bytes: Int64 = 0) {
        guard failure.kind == .noSpace || failure.isUnwritable || failure.isObstructed else { return }
        guard let known = current[container] else {
            if current.count < Self.most {
                current[container] = Trouble(failure: failure, needed: needed, largest: bytes)
            }
            return
        }
        let isFull = known.failure.kind == .noSpace && failure.kind == .noSpace
        let isSame = isFull || known.failure.code == failure.code
        current[container] = Trouble(
            failure: isSame ? known.failure : failure, needed: known.needed.union(needed),
            largest: max(known.largest, bytes), witnesses: known.witnesses, lastTrial: known.lastTrial)
    }

    /// Whether a container that has trouble is to be tried now; it counts as tried then.
    mutating func beginTrial(in container: Container, every interval: Duration, at now: SuspendingClock.Instant) -> Bool
    {
        if let last = current[container]?.lastTrial, last.duration(to: now) < interval { return false }
        current[container]?.lastTrial = now
        return true
    }

    /// Something was written: the trouble may have passed.
    mutating func wrote(in container: Container) {
        current[container]?.lastTrial = nil
    }

    /// An object of so many bytes found room.
    mutating func stored(_ partial: Partial, bytes: Int64) {
        // A smaller one says nothing of those that found none.
        guard let known = current[partial.container], known.failure.kind == .noSpace, bytes >= known.largest,
            !known.witnesses.contains(partial.name)
        else { return }
        end(in: partial.container)
    }

    /// Sets the partials that are there while it is noted.
    mutating func setWitnesses(_ names: some Sequence<String>, in container: Container) {
        current[container]?.witnesses = Set(names)
    }

    /// It can be written to again, or is gone.
    mutating func end(in container: Container) {
        current[container] = nil
    }
}
