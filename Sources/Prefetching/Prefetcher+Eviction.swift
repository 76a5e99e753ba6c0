package import MediaCache
import Platform
package import Stories

// What makes room, and what goes as it is too old or one too many. A story goes by its turn, its manifest first; a story
// that somebody is at work on is passed over, so that two who make room never wait for each other.

extension Prefetcher {
    // MARK: On demand

    /// Removes a story: its manifest, then what it alone held; nothing more comes for it, and `latest.json` follows.
    /// False where there is none of that key. Where this throws the story is as it was.
    package func remove(_ key: StoryKey) async throws(CacheFailure) -> Bool {
        await takeTurn(key)
        defer { endTurn(key) }
        guard !isStopping, let record = table[key] else { return false }
        _ = try await remove(record, isEviction: false)
        log.info("story \(key) deleted", .story(key))
        return true
    }

    /// Removes what no manifest names, then whole stories, oldest first, until objects take `bytes` at most.
    package func evict(toBytes bytes: Int64) async -> Removal {
        var removal = Removal()
        var passedOver: Set<Container> = []
        while !isStopping, let step = await evictStep(toBytes: bytes, &passedOver) { removal += step }
        return removal
    }

    /// A slice of what no manifest names, else a story; nil where nothing more is to go, or can. It has its turn at making
    /// room, and no longer: others, who want some for what they write, come in between.
    private func evictStep(toBytes bytes: Int64, _ passedOver: inout Set<Container>) async -> Removal? {
        await takeRoomTurn()
        defer { endRoomTurn() }
        // While pins may be missing nothing would become free.
        guard await !storage.needsRecovery, await storage.usedBytes > bytes else { return nil }
        let unpinned = await storage.removeUnpinned(toBytes: bytes)
        if unpinned.objects > 0 { return unpinned }
        return await evictOldest("to make room", &passedOver) { $0.cached > 0 }
    }

    /// Removes the stories received longer ago than that, oldest first, then what no manifest names and was not used since.
    package func evict(olderThan age: Duration) async -> Removal {
        let time = await lookAtClock()
        let moment = time.earliest.advanced(bySeconds: -(age / .seconds(1)))
        var removal = await evict(table.received(before: moment, now: time.latest), "as old as asked for")
        while !isStopping {
            let unpinned = await storage.removeUnpinned(usedBefore: moment)
            removal += unpinned
            if unpinned.objects == 0 { break }
        }
        return removal
    }

    // MARK: Limits

    /// Removes, in the background, what is more than the limits allow: stories that are too old or too many, and what takes
    /// too many bytes. Costs next to nothing where all is within them; call it every few seconds.
    package func keepWithinLimits() {
        guard trimming == nil, !isStopping else { return }
        trimming = Task(priority: .medium) {
            await trim()
            trimming = nil
        }
    }

    private func trim() async {
        // Whether stories age or not: when a clock has jumped is known only to who has looked.
        let time = await lookAtClock()
        if options.storyMaxAge > .zero {
            let moment = time.earliest.advanced(bySeconds: -(options.storyMaxAge / .seconds(1)))
            _ = await evict(table.received(before: moment, now: time.latest), "older than cache.story_max_age")
        }
        while !isStopping {
            let surplus = table.beyond(options.maxStories, now: .now())
            if await evict(surplus, "one more than cache.max_stories").stories == 0 { break }
        }
        if await storage.excessBytes > 0 { _ = await evict(toBytes: storage.options.maxBytes) }
    }

    /// The time by which stories age; every minute it is kept for the next process.
    func lookAtClock() async -> AgeClock.Reading {
        let reading = ageClock.look(wall: .now(), at: .now)
        let memory = ageClock.memory
        if clockMemory?.isOutdated(by: memory) != false {
            clockMemory = memory
            await storage.remember(memory)
        }
        return reading
    }

    /// Goes on from the time that the last process believed in; where none is known, from the last that a story was
    /// written, as far as they are known.
    func startClock() async {
        guard clockMemory == nil else { return }
        clockMemory = await storage.clockMemory
        let newest = table.all.map(\.updatedAt).max()
        guard let memory = clockMemory ?? newest.map({ ClockMemory(believed: $0, doubtedSince: nil) }) else { return }
        ageClock = AgeClock(memory, at: .now)
    }

    private func evict(_ records: [StoryRecord], _ reason: String) async -> Removal {
        var removal = Removal()
        var passedOver: Set<Container> = []
        for record in records where !isStopping && !passedOver.contains(record.container) {
            // It may have been replaced meanwhile.
            guard !isInTurn(record.key), table[record.key]?.rank == record.rank else { continue }
            if let removed = await evict(record, reason) {
                removal += removed
            } else {
                passedOver.insert(record.container)
            }
        }
        return removal
    }

    // MARK: Room for something

    /// Runs `body` until it finds the room that it needs in `container`, which is made by removing what is older than
    /// `newest`, the story that wants it; throws what it throws where no more can be made.
    func makingRoom<Value: Sendable>(
        in container: Container, before newest: StoryRank?, _ body: () async throws(CacheFailure) -> Value
    ) async throws(CacheFailure) -> Value {
        do { return try await body() } catch {
            if !error.isLackOfRoom { throw error }
        }
        await takeRoomTurn()
        defer { endRoomTurn() }
        var effort = RoomEffort()
        while true {
            // What others have made meanwhile may do.
            do { return try await body() } catch {
                guard effort.goesOn else { throw error }
                let before = error.kind == .noSpace ? await storage.freeBytes(in: container) : nil
                let removal = await removeOlder(for: error, in: container, before: newest)
                if removal == Removal() { throw error }
                let after = before == nil ? nil : await storage.freeBytes(in: container)
                effort.note(removed: removal.bytes, free: before.flatMap { before in after.map { (before, $0) } })
            }
        }
    }

    /// Removes as much as `failure` lacks, where that can help: what is kept of downloads, what no manifest names, then the
    /// stories older than `newest`, the oldest first. False where nothing could be removed.
    func makeRoom(for failure: CacheFailure, in container: Container, before newest: StoryRank?) async -> Bool {
        await takeRoomTurn()
        defer { endRoomTurn() }
        return await removeOlder(for: failure, in: container, before: newest) != Removal()
    }

    private func removeOlder(
        for failure: CacheFailure, in container: Container, before newest: StoryRank?
    ) async -> Removal {
        var removal = await storage.dropKept(for: failure, in: container)
        if removal != Removal(), removal.frees(failure.lacking) { return removal }
        guard let newest,
            let reach = await storage.reach(of: failure, in: container, stories: table.countsByContainer)
        else { return removal }
        var passedOver: Set<Container> = []
        // Once pins may be missing nothing would become free: stories would go for nothing.
        while !isStopping, await !storage.needsRecovery {
            let unpinned = await storage.removeUnpinned(for: failure, in: container, reach, after: removal)
            removal += unpinned
            if removal.frees(failure.lacking) { break }
            if unpinned.objects > 0 { continue }
            let isObjectsOnly = failure.kind == .overLimit
            let limit = EvictionRank(newest, now: .now())
            let story = await evictOldest("to make room", &passedOver) { record in
                reach.contains(record.container) && (!isObjectsOnly || record.cached > 0)
                    && EvictionRank(record.rank, now: .now()) < limit
            }
            guard let story else { break }
            removal += story
            await storage.madeRoom(for: failure, in: container)
        }
        return removal
    }

    /// Gives up the story that is to go first, of those that `mayGo`. Nil where none can.
    private func evictOldest(
        _ reason: String, _ passedOver: inout Set<Container>, where mayGo: (StoryRecord) -> Bool
    ) async -> Removal? {
        while !isStopping {
            let record = table.victim(now: .now()) {
                !isInTurn($0.key) && !passedOver.contains($0.container) && mayGo($0)
            }
            guard let record else { return nil }
            if let removal = await evict(record, reason) { return removal }
            passedOver.insert(record.container)
        }
        return nil
    }

    /// Gives up a story that nobody is at work on; nil where it cannot be removed.
    private func evict(_ record: StoryRecord, _ reason: String) async -> Removal? {
        await takeTurn(record.key)
        defer { endTurn(record.key) }
        do throws(CacheFailure) {
            let removal = try await remove(record, isEviction: true)
            rigid.remove(record.container)
            log.info("story \(record.key) of \(record.receivedAt) evicted: \(reason)", .story(record.key))
            return removal
        } catch {
            if rigid.insert(record.container).inserted {
                log.error("story \(record.key) cannot be evicted: \(error)", .story(record.key))
            }
            return nil
        }
    }

    /// For who has its turn.
    func remove(_ record: StoryRecord, isEviction: Bool) async throws(CacheFailure) -> Removal {
        let removal = try await storage.removeWithObjects(
            record.key.id, in: record.container, isEviction: isEviction)
        drop(record.key)
        releaseLeftovers()
        clocks.stop(record.key)
        settlementWaiters.resume(record.key)
        repairs?.gone(record.key)
        let stored = StoredStory(id: record.key.id, container: record.container)
        complaints[stored] = nil
        if let former = released.removeValue(forKey: stored) {
            await storage.removeUnpinned(former, in: record.container)
        }
        listener.tell(
            StoryEvent(key: record.key, container: record.container, news: .deleted(evicted: isEviction)))
        if table.remove(record.key, now: .now()) { await renewLatest(in: record.container) }
        return removal
    }
}
