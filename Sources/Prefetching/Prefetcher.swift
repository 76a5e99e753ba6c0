import Addresses
import Hashing
import ImageInspection
import JSON
package import MediaCache
package import Platform
package import Stories
package import Transfers

/// Carries stories from acceptance to settled, and on until every picture that may come has come.
///
/// The one owner of what is known of stories and of the queue of fetches. It decides; `TransferLoop` brings bytes,
/// `CacheStorage` keeps them, and both are awaited: nothing here blocks.
package actor Prefetcher {
    typealias Instant = SuspendingClock.Instant

    let storage: CacheStorage
    let transfers: TransferLoop
    let log: Log
    var options: PrefetchOptions
    var table = StoryTable()
    var live: [StoryKey: LiveStory] = [:]
    var queue: FetchQueue
    var counts = PrefetchStatistics()
    /// The transfers under way, by the key of their URL.
    var running: [String: Task<Void, Never>] = [:]
    /// When stories are settled whatever has come, and when changed manifests are to be written.
    var deadlines = DueTimes<StoryKey>()
    var writes = DueTimes<StoryKey>()
    private(set) var isStopping = false
    private var alarm: (due: Instant, task: Task<Void, Never>)?
    private var generations = 0
    /// Groups whose lack of a container has been said.
    private var unprovisionedGroups: Set<GroupID> = []

    package init(options: PrefetchOptions, storage: CacheStorage, transfers: TransferLoop, log: Log) {
        self.options = options
        self.storage = storage
        self.transfers = transfers
        self.log = log
        queue = FetchQueue(limits: options.queue)
    }

    /// Takes effect for what is accepted and started from here on.
    package func update(_ options: PrefetchOptions) {
        self.options = options
        queue.setLimits(options.queue)
        pump()
    }

    /// Ends all transfers; nothing is written from here on. What is unfinished goes on after the next start.
    package func stop() async {
        isStopping = true
        alarm?.task.cancel()
        let tasks = running.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// What `GET /v1/status` tells.
    package var statistics: PrefetchStatistics {
        var statistics = counts
        statistics.stories = table.counts()
        statistics.activeTransfers = queue.active
        statistics.queuedTransfers = queue.queued
        return statistics
    }

    // MARK: Acceptance

    /// Takes a story in: when this returns its manifest is durable, with the pages that were in the cache, and the
    /// others are on their way. The same story again changes nothing, but what is missing of it is tried at once.
    package func accept(_ story: Story, group: GroupID?, receivedAt: Timestamp) async throws(CacheFailure) {
        let key = StoryKey(group: group, id: story.id)
        let container = try await storage.container(for: group)
        noteFallback(container)
        let content = ContentID.of(utf8: JSONValue.object(story.userInfo).serialized(sortedKeys: true))
        let known = table[key]
        if let known, known.content == content, known.container == container {
            log.info("story \(key) came again, unchanged")
            return await retryMissing(key)
        }
        var manifest = Manifest(
            story, group: group, groupFallback: container.isGroupFallback, receivedAt: receivedAt,
            revision: live[key]?.manifest.revision ?? known?.revision ?? 0)
        for place in manifest.pages.indices {
            let object = try await storage.fresh(
                cacheKey(manifest.pages[place].page), in: container, wantedSince: receivedAt, now: .now())
            guard let object else { continue }
            manifest.pages[place].state = .cached(CachedImage(object, source: .cache))
            counts.hits += 1
        }
        withdraw(key)
        let missing = manifest.pages.indices.filter { !manifest.pages[$0].state.isCached }
        let generation = place(manifest, in: container, content: content, awaiting: missing)
        do {
            try await write(key, generation: generation)
        } catch {
            // The payload stays where it was and is tried again; what is on disk is the story as it was.
            if live[key]?.generation == generation { live[key] = nil }
            throw error
        }
        if let known, known.container != container {
            try await storage.removeStory(key.id, in: known.container)
        }
        log.info(
            "story \(key) accepted: \(manifest.pages.count) pages, \(manifest.pages.count - missing.count) in the cache"
        )
        request(key, generation: generation)
    }

    private func noteFallback(_ container: Container) {
        guard container.isGroupFallback, let group = container.group, unprovisionedGroups.insert(group).inserted else {
            return
        }
        log.warning("group \(group) is not provisioned: its stories go to a fallback container")
    }

    func cacheKey(_ page: Page) -> String {
        page.url.key(ignoring: options.ignoredQueryParameters)
    }

    /// Makes the story the live one of its key, to be written. Answers its generation.
    func place(_ manifest: Manifest, in container: Container, content: ContentID, awaiting places: [Int]) -> Int {
        generations += 1
        var story = LiveStory(
            manifest, container: container, generation: generations, content: content,
            deadline: .now.advanced(by: options.storyDeadline))
        for place in places { story.awaitPage(place) }
        story.settleIfNothingIsAwaited()
        live[manifest.key] = story
        if !story.manifest.settled { deadlines.append(manifest.key, due: story.deadline) }
        return generations
    }

    /// Asks for the pages that are awaited. They get new rounds until the horizon after the story was received: a
    /// restart does not begin it anew.
    func request(_ key: StoryKey, generation: Int) {
        guard let story = live[key], story.generation == generation else { return }
        let age = max(0, Double(Timestamp.now().milliseconds - story.manifest.receivedAt.milliseconds) / 1000)
        let giveUpAt = Instant.now.advanced(by: options.queue.retry.horizon - .seconds(age))
        for place in story.awaitedPlaces.sorted() {
            let page = story.manifest.pages[place].page
            let joined = queue.add(
                FetchQueue.Waiter(story: key, generation: generation, page: place), key: cacheKey(page), url: page.url,
                isFirstPage: place == 0, giveUpAt: giveUpAt)
            counts.misses += 1
            if joined { counts.coalesced += 1 }
        }
        pump()
    }

    /// The story came again: what is missing of it is tried at once.
    private func retryMissing(_ key: StoryKey) async {
        if let story = live[key] { return request(key, generation: story.generation) }
        guard let record = table[key], record.cached < record.pages else { return }
        do {
            guard let manifest = try await manifest(of: key.id, in: record.container) else { return }
            let missing = manifest.pages.indices.filter { !manifest.pages[$0].state.isCached }
            let generation = place(manifest, in: record.container, content: record.content, awaiting: missing)
            request(key, generation: generation)
        } catch {
            log.error("story \(key): its manifest cannot be read: \(error)")
        }
    }

    private func withdraw(_ key: StoryKey) {
        guard let former = live[key] else { return }
        for orphan in queue.withdraw(key, generation: former.generation) { running[orphan]?.cancel() }
    }

    // MARK: Time

    /// Starts what may start, and sees to it that somebody wakes us for the rest.
    func pump() {
        guard !isStopping else { return }
        for start in queue.start(.now) {
            running[start.key] = Task { await fetch(start) }
        }
        arm()
    }

    /// Sets the alarm for the next thing that no event will tell of.
    func arm() {
        guard !isStopping, let due = [queue.nextWake, deadlines.next, writes.next].compactMap(\.self).min() else {
            return
        }
        if let alarm, alarm.due <= due { return }
        alarm?.task.cancel()
        let task = Task { [weak self] in
            // Cancelled: another alarm has taken this one's place.
            guard (try? await Task.sleep(until: due, clock: .suspending)) != nil else { return }
            await self?.ring()
        }
        alarm = (due, task)
    }

    private func ring() {
        alarm = nil
        while let (due, key) = deadlines.popDue(.now) {
            guard var story = live[key], story.deadline == due else { continue }
            apply(story.deadlinePassed(), story)
        }
        startWrites()
        pump()
    }
}
