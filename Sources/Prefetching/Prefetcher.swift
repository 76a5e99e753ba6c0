package import MediaCache
package import Platform
import Hashing
import Stories
package import Transfers

/// Carries stories from acceptance to settled, and on until every picture that may come has come.
///
/// The one owner of what is known of stories and of the queue of fetches. It decides; `TransferLoop` brings bytes,
/// `CacheStorage` keeps them, and both are awaited: nothing here blocks. What it does by itself has a lower priority than
/// acceptance and questions, which storage serves first.
///
/// What touches one story's manifest on disk (acceptance, each write, recovery) takes turns, by `takeTurn`: so revisions
/// follow each other, and nothing is decided on what another is about to change.
package actor Prefetcher {
    typealias Instant = SuspendingClock.Instant

    let storage: CacheStorage
    let transfers: TransferLoop
    let checkpoints: Checkpoints
    let log: Log
    let listener: StoryListener
    private(set) var options: PrefetchOptions
    /// All stories, as they are on disk.
    var table = StoryTable()
    /// The stories that something may still happen to, as far as they are in memory, and the others.
    var live = LiveStories()
    var parked = ParkedStories()
    /// The work at the others that are due, under way.
    var unparking: Task<Void, Never>?
    var queue: FetchQueue
    var counts = PrefetchStatistics()
    var clocks = StoryClocks()
    /// The transfers under way, by the key of their URL.
    var running: [String: Task<Void, Never>] = [:]
    /// For whom parts of downloads are kept, and the removal of those that nobody wants, under way.
    var leftovers = Leftovers()
    var cleaning: Task<Void, Never>?
    /// The writes of manifests under way.
    var writers: [StoryKey: Task<Void, Never>] = [:]
    /// When stories are settled whatever has come, and when changed manifests are to be written.
    private var deadlines = DueTimes<StoryKey>()
    var writes = DueTimes<StoryKey>()
    /// Who is at work on which story, and at making room.
    var turns = Turns()
    /// The containers whose `latest.json` could not be written, or removed.
    var overdueLatest = Retries<Container>()
    /// The renewal of those that are due, under way.
    private var renewal: Task<Void, Never>?
    var mending = MendSchedule()
    /// The telling of the index, under way.
    var retelling: Task<Void, Never>?
    /// What is known not to be there.
    var absences = Absences()
    var settlementWaiters = SettlementWaiters()
    /// What the verification under way has found lost; nil while there is none.
    var repairs: Repairs?
    /// The reading of all objects; nil until it has begun.
    var scrub: Scrub?
    /// The content whose files were looked at last; nil at the end, and before the beginning.
    var lastLookedAt: ContentID?
    /// The stories that are on disk and not known (true), or the other way round, for which the index was told again.
    var disputed: [StoredStory: Bool] = [:]
    /// The work at these, under way.
    var upkeep: Task<Void, Never>?
    var ageClock = AgeClock(ClockMemory(believed: .now(), doubtedSince: nil), at: .now)
    /// What the next process will know of it.
    var clockMemory: ClockMemory?
    /// The work at what is more than the limits allow, under way.
    var trimming: Task<Void, Never>?
    /// Containers that a story could not be removed from; each is said once.
    var rigid: Set<Container> = []
    /// What has been said of stories on disk that cannot be taken up; each is said once.
    var complaints: [StoredStory: String] = [:]
    /// What stories that still wait for pictures held before they were replaced.
    var released: [StoredStory: Set<ContentID>] = [:]
    /// Groups whose lack of a container has been said.
    var unprovisionedGroups: Set<GroupID> = []
    /// Whether `stop` was called: nothing is accepted any more.
    package private(set) var isStopping = false
    private var alarm: (due: Instant, task: Task<Void, Never>)?
    private var generations = 0
    private var signsOfLife = 0
    /// Decisions made on what some `latest.json` says.
    var latestDecisions = 0

    package init(
        options: PrefetchOptions, storage: CacheStorage, transfers: TransferLoop, log: Log,
        listener: StoryListener = .none
    ) {
        self.options = options
        self.storage = storage
        self.transfers = transfers
        checkpoints = Checkpoints(of: storage)
        self.log = log
        self.listener = listener
        queue = FetchQueue(limits: options.queue)
    }

    /// Takes effect for what is accepted and started from here on.
    package func update(_ options: PrefetchOptions) {
        self.options = options
        queue.setLimits(options.queue)
        keepWithinLimits()
        pump()
    }

    /// Ends all transfers, and recovery before its next story; when this returns nothing is written any more, unless
    /// somebody goes on accepting. What is unfinished goes on after the next start.
    package func stop() async {
        isStopping = true
        settlementWaiters.resumeAll()
        repairs?.stopWaiting()
        alarm?.task.cancel()
        let tasks = running.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        for task in writers.values { await task.value }
        await renewal?.value
        await unparking?.value
        await trimming?.value
        await cleaning?.value
        await upkeep?.value
        // Acceptances and removals that have begun; none begins any more.
        while let key = turns.story {
            await takeTurn(key)
            endTurn(key)
        }
    }

    /// Answers when it has come round to it, with how often it has.
    package func ping() -> Int {
        signsOfLife &+= 1
        return signsOfLife
    }

    /// What `GET /v1/status` tells.
    package var statistics: PrefetchStatistics {
        var statistics = counts
        statistics.stories = table.counts()
        statistics.storiesByContainer = table.countsByContainer
        statistics.activeTransfers = queue.active
        statistics.queuedTransfers = queue.queued
        statistics.firstPage = clocks.firstPage
        statistics.settled = clocks.settled
        return statistics
    }

    // MARK: Live stories

    /// Makes a story that can be the live one of its key. Where it is the parked one, its time and its history go on.
    func newStory(_ manifest: Manifest, in container: Container, content: ContentID) -> LiveStory {
        generations += 1
        let place = table[manifest.key]?.content == content ? parked[manifest.key] : nil
        return LiveStory(
            manifest, container: container, generation: generations, content: content,
            deadline: place?.deadline ?? .now.advanced(by: options.storyDeadline),
            history: place?.history ?? FetchQueue.History())
    }

    /// Puts a story, new or changed, in the place of the live one of its key.
    func keep(_ story: LiveStory) {
        parked.remove(story.key)
        if live.update(story) { deadlines.append(story.key, due: story.deadline) }
    }

    /// Forgets the story of that key, in memory or parked.
    func drop(_ key: StoryKey) {
        if let former = live.remove(key) { withdraw(former) }
        parked.remove(key)
    }

    /// Lets go of a story that nothing more will happen to. Only for who has its turn.
    func dropIfAtRest(_ key: StoryKey) {
        guard live[key]?.isAtRest == true else { return }
        live.remove(key)
        // Its place is free.
        startUnparking()
    }

    /// The live story that a page of it waits for; nil where it was replaced.
    func story(of waiter: FetchQueue.Waiter) -> LiveStory? {
        guard let story = live[waiter.story], story.generation == waiter.generation else { return nil }
        return story
    }

    // MARK: Time

    /// Starts what may start, and sees to it that somebody wakes us for the rest.
    func pump() {
        guard !isStopping else { return }
        for start in queue.start(.now) {
            running[start.key] = Task(priority: .low) { await fetch(start) }
        }
        arm()
    }

    /// Sets the alarm for the next thing that no event will tell of.
    func arm() {
        startUnparking()
        // A writer that ends looks for the next one itself.
        let nextWrite = mayBeginWrite ? writes.next : nil
        let nextRenewal = renewal == nil ? overdueLatest.next : nil
        let next = [queue.nextWake, deadlines.next, nextWrite, nextRenewal, nextUnparking].compactMap(\.self).min()
        guard !isStopping, let due = next else { return }
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
            // Where nothing is to be written for it, nothing else would.
            parkIfCrowded(key)
        }
        startWrites()
        startRenewal()
        pump()
    }

    /// Writes each `latest.json` that is to be tried again.
    private func startRenewal() {
        let due = overdueLatest.due(.now)
        guard renewal == nil, !isStopping, !due.isEmpty else { return }
        renewal = Task(priority: .low) {
            for container in due where !isStopping { await renewLatest(in: container) }
            renewal = nil
            arm()
        }
    }
}
