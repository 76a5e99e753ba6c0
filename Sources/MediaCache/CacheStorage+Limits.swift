package import Hashing
package import Platform
package import Stories

// `cache.max_bytes` holds at each moment: an object is published only where it fits beside all others, and what has been
// reserved for those that are about to be. What no manifest names and nobody holds goes for it, the least recently used
// first, a slice at a time. Whole stories are the `Prefetcher`'s to give up, as it knows them.

extension CacheStorage {
    /// Objects that are removed in one turn of this actor, at most; whoever waits for it waits no longer than that.
    static let slice = 64

    /// Bytes that objects take, over all containers, with what is reserved.
    package var usedBytes: Int64 {
        let reserved = reservations.values.joined().reduce(0) { $0 + $1.value.bytes }
        let indexed = indexedBytes
        return reserved + (index.isComplete ? indexed : max(indexed, knownBytes))
    }

    /// Bytes that objects take, by the index; less where that does not know all.
    var indexedBytes: Int64 { sums().reduce(0) { $0 + $1.bytes } }

    /// Bytes that objects take beyond what they may.
    package var excessBytes: Int64 {
        keepCount()
        return max(0, usedBytes - options.maxBytes)
    }

    /// Makes what is counted beside the index what the index says, where that knows all.
    func keepCount() {
        let indexed = indexedBytes
        if index.isComplete { knownBytes = indexed }
    }

    /// Fails with `tooLarge` where an object of so many bytes never fits, with `overLimit` where it does not now.
    /// `reserved` is what is kept for it already.
    func checkLimit(_ bytes: Int64, reserved: Int64 = 0) throws(CacheFailure) {
        guard bytes <= options.maxBytes else {
            throw CacheFailure(.tooLarge, "\(bytes) bytes are more than the cache may hold, \(options.maxBytes)")
        }
        let over = usedBytes - reserved + bytes - options.maxBytes
        if over > 0 {
            throw CacheFailure(
                .overLimit, "the cache is full (cache.max_bytes): \(over) bytes of newer stories would have to go",
                lacking: Room(bytes: over))
        }
    }

    /// Runs `check` on the room in `container`, and again after what is kept of downloads was removed, and a slice of what
    /// nobody wants, where that has changed something.
    func makingRoom(in container: Container, _ check: () throws(CacheFailure) -> Void) throws(CacheFailure) {
        do { return try check() } catch {
            var failure = error
            if dropKept(for: failure, in: container).objects > 0 {
                do { return try check() } catch { failure = error }
            }
            guard let reach = reach(of: failure, in: container),
                removeUnpinned(for: failure, in: container, reach).objects > 0
            else { throw failure }
            try check()
        }
    }

    /// Keeps room for a finished download that is to be published in `container`, until it is; the object itself where it
    /// is there already. Fails with `overLimit` or `noSpace` where there is none, `tooLarge` where there never can be.
    package func reserve(_ object: StoredObject, for partial: Partial, in container: Container) throws(CacheFailure) {
        let isThere = index.use(orElse: false) { index throws(DatabaseError) in
            try index.entries(of: object.content).contains { $0.container == container && $0.object == object }
        }
        if isThere {
            let hold = holds.hold(object.content, in: container)
            reservations[partial.name, default: [:]][container] = Reservation(bytes: 0, hold: hold)
            return
        }
        try writing(to: container, bytes: object.bytes) { () throws(CacheFailure) in
            let directory = try ContainerDirectory.make(container, options)
            let copy = container == partial.container ? Room() : Room(bytes: object.bytes, inodes: 1)
            try makingRoom(in: container) { () throws(CacheFailure) in
                try checkLimit(object.bytes)
                try checkFloors(directory, beside: copy)
            }
        }
        reservations[partial.name, default: [:]][container] = Reservation(bytes: object.bytes, hold: nil)
    }

    /// Where something may be removed so that what failed can succeed; nil where that would be of no use. `stories` says
    /// how many there are that may go as well.
    package func reach(
        of failure: CacheFailure, in container: Container, stories: [Container: Int] = [:]
    ) -> Reach? {
        guard index.isComplete else { return nil }
        switch failure.kind {
        case .overLimit: return Reach(containers: nil)
        case .noSpace: break
        default: return nil
        }
        guard let device = device(of: container) else { return nil }
        var sharing: Set<Container> = []
        var all = Removal()
        for sum in sums() where self.device(of: sum.container) == device {
            sharing.insert(sum.container)
            all.objects += sum.objects
            all.bytes += sum.bytes
        }
        for (container, count) in stories where self.device(of: container) == device {
            sharing.insert(container)
            all.stories += count
        }
        // Where all that is there would not do, it stays.
        return all.frees(failure.lacking) ? Reach(containers: sharing) : nil
    }

    /// Which filesystem a container is on; nil where it cannot be seen.
    func device(of container: Container) -> UInt64? {
        do {
            return try ContainerDirectory.open(container, options)?.root.descriptor.status().device
        } catch {
            return nil
        }
    }

    /// Removes what no manifest names and nobody holds, the least recently used first: as much as `failure` lacks beyond
    /// what was removed for it already, a slice at most.
    package func removeUnpinned(
        for failure: CacheFailure, in container: Container, _ reach: Reach, after removed: Removal = Removal()
    ) -> Removal {
        let removal = removeUnpinned(in: reach) { removal in
            var sum = removed
            sum += removal
            return !sum.frees(failure.lacking)
        }
        if removal.objects > 0 { madeRoom(for: failure, in: container) }
        return removal
    }

    /// What failed over the lack of room may succeed now; if it does not, that is noted again.
    package func madeRoom(for failure: CacheFailure, in container: Container) {
        if failure.kind == .noSpace { troubles.end(in: container) }
    }

    /// Removes what no manifest names and nobody holds until objects take no more than `bytes`, a slice at most.
    package func removeUnpinned(toBytes bytes: Int64) -> Removal {
        let excess = usedBytes - bytes
        return removeUnpinned(in: Reach(containers: nil)) { $0.bytes < excess }
    }

    /// Removes what no manifest names, nobody holds and nothing has used since `moment`, a slice at most.
    package func removeUnpinned(usedBefore moment: Timestamp) -> Removal {
        removeUnpinned(in: Reach(containers: nil), usedBefore: moment) { _ in true }
    }

    private func removeUnpinned(
        in reach: Reach, usedBefore moment: Timestamp? = nil, while isShort: (Removal) -> Bool
    ) -> Removal {
        var removal = Removal()
        // Where pins may be missing nothing is known to be unpinned.
        guard index.isComplete else { return removal }
        var stuck: Set<Container> = []
        var isOver = false
        while !isOver {
            isOver = true
            for candidate in candidates(in: reach, but: stuck, usedBefore: moment)
            where removal.objects < Self.slice && isShort(removal) && !stuck.contains(candidate.container) {
                removal += remove(candidate, &stuck)
                // What others have may lie beyond the candidates.
                if stuck.contains(candidate.container) { isOver = false }
            }
        }
        noteEvicted(removal)
        return removal
    }

    /// The least recently used of what no manifest names: a slice, and as many more as somebody may hold.
    private func candidates(
        in reach: Reach, but stuck: Set<Container>, usedBefore moment: Timestamp?
    ) -> [UnpinnedObject] {
        let limit = Self.slice + holds.count
        return index.use(orElse: []) { index throws(DatabaseError) in
            if reach.containers == nil, stuck.isEmpty { return try index.unpinned(usedBefore: moment, limit: limit) }
            let containers = if let some = reach.containers { some } else { try Set(index.sums().map(\.container)) }
            var found: [UnpinnedObject] = []
            for container in containers.subtracting(stuck) {
                found += try index.unpinned(in: container, usedBefore: moment, limit: limit)
            }
            return found.sorted { $0.usedAt < $1.usedAt }
        }
    }

    /// Removes a story: its manifest, durably, its pins, then what it alone held, a slice at a time; that too where the
    /// manifest is gone already. `isEviction`: it goes to make room, which is counted.
    package func removeWithObjects(
        _ story: StoryID, in container: Container, isEviction: Bool
    ) async throws(CacheFailure) -> Removal {
        let held = index.use(orElse: []) { index throws(DatabaseError) in try index.pins(of: story, in: container) }
        var removal = Removal()
        removal.stories = try removeStory(story, in: container) ? 1 : 0
        removal += await removeUnpinned(held, in: container)
        if isEviction { noteEvicted(removal, story: story, in: container) }
        return removal
    }

    /// Removes of these objects what no manifest names any more and nobody holds, a slice at a time.
    @discardableResult
    package func removeUnpinned(_ contents: some Sequence<ContentID>, in container: Container) async -> Removal {
        var removal = Removal()
        var stuck: Set<Container> = []
        for (number, content) in contents.enumerated() {
            if number > 0, number.isMultiple(of: Self.slice) { await Task.yield() }
            // As of now: others may have come to want it, or the index been lost.
            guard index.isComplete else { break }
            let unpinned = index.use(orElse: []) { index throws(DatabaseError) in
                try index.unpinned(content, in: container)
            }
            for object in unpinned { removal += remove(object, &stuck) }
        }
        return removal
    }

    /// Nothing where it is held, or cannot be removed; its container is `stuck` where nothing can be removed from that.
    private func remove(_ object: UnpinnedObject, _ stuck: inout Set<Container>) -> Removal {
        var removal = Removal()
        if holds.isHeld(object.content, in: object.container) { return removal }
        do throws(CacheFailure) {
            let directory = try ContainerDirectory.open(object.container, options)
            let isRemoved = try classified { () throws(SystemError) in
                let folder = try directory?.existing(ContainerLayout.objects, object.directoryName)
                guard try folder?.remove(object.fileName) == true else { return false }
                // Each takes an inode. One that is not empty stays.
                try directory?.existing(ContainerLayout.objects)?.removeDirectory(object.directoryName)
                return true
            }
            if isRemoved { knownBytes -= object.bytes }
            seenWhole[object.container]?[object.content] = nil
            index.use(orElse: ()) { index throws(DatabaseError) in try index.forget(object) }
            undeletable.remove(object.container)
            removal.objects = 1
            removal.bytes = object.bytes
        } catch {
            if undeletable.insert(object.container).inserted { log.warning("not removed to make room: \(error)") }
            if error.isUnwritable {
                stuck.insert(object.container)
                return removal
            }
            index.use(orElse: ()) { index throws(DatabaseError) in try index.postpone(object, until: .now()) }
        }
        return removal
    }
}
