import Hashing
import MediaCache
import Platform
import Stories

// Stories in memory, with what they wait for, take up no more than `maximumLiveBytes`. The others are parked: their
// manifests are on disk, as accepted, and they are taken up in the order in which they became due. Where it is crowded,
// a settled story gives up its place while it only rests, or when it has waited for slots as long as a deadline and
// others are due. The last quarter is for stories that come new.

extension Prefetcher {
    /// Keeps the story in memory, or parks it where there is no place; its manifest is on disk. `isWanted`: somebody has
    /// asked for it just now.
    func keepOrPark(_ story: LiveStory, isWanted: Bool) {
        let former = live[story.key]
        let footprint = live.footprint - (former?.footprint ?? 0)
        // One that is larger than all that is allowed must come up some time.
        let fits = footprint == 0 || footprint + story.footprint <= options.maximumLiveBytes
        if fits || story.isAtRest || story.isChanged || former?.generation == story.generation { return keep(story) }
        var place = parked[story.key] ?? ParkedStories.Place(due: .now)
        if isWanted { place.due = .now }
        place.deadline = story.manifest.settled ? nil : story.deadline
        place.history = story.history
        place.wantsAllMissing = story.wantsAllMissing
        drop(story.key)
        parked.park(story.key, place)
        arm()
    }

    /// Parks the story where it is crowded and the story may leave.
    func parkIfCrowded(_ key: StoryKey) {
        guard live.footprint > options.maximumLiveBytes / 2, let story = live[key], story.manifest.settled,
            !story.isChanged, turns[key] == nil, writers[key] == nil
        else { return }
        let outlook = queue.outlook(of: key, generation: story.generation)
        let othersAreDue = parked.next.map { $0 <= .now } == true
        guard !outlook.isRunning, !outlook.isQueued || (story.deadline <= .now && othersAreDue) else { return }
        drop(key)
        parked.park(
            key,
            ParkedStories.Place(
                due: outlook.isQueued ? .now : outlook.nextAttempt ?? .now, history: outlook.history,
                isSevered: outlook.isSevered, wantsAllMissing: story.wantsAllMissing))
    }

    private var hasFreePlace: Bool { live.isEmpty || live.footprint < options.maximumLiveBytes / 4 * 3 }

    /// When parked stories are to be looked at next. That a place becomes free is an event.
    var nextUnparking: Instant? {
        guard unparking == nil else { return nil }
        return [hasFreePlace ? parked.next : nil, parked.nextDeadline].compactMap(\.self).min()
    }

    /// Takes up the parked stories that are due, as far as there are places, and settles those whose deadline has passed.
    func startUnparking() {
        guard !isStopping, let next = nextUnparking, next <= .now else { return }
        unparking = Task(priority: .medium) {
            await unpark()
            unparking = nil
            arm()
        }
    }

    private func unpark() async {
        var isAtWork = true
        // In turns, so that many of one kind do not keep the others waiting.
        while isAtWork, !isStopping {
            isAtWork = false
            if let overdue = parked.popOverdue(.now) {
                isAtWork = true
                await settleParked(overdue)
            }
            if hasFreePlace, let due = parked.popDue(.now) {
                isAtWork = true
                await takeUpParked(due)
            }
        }
    }

    private func takeUpParked(_ key: StoryKey) async {
        await takeTurn(key)
        defer { endTurn(key) }
        // Somebody may have taken it up before our turn.
        guard !isStopping, let place = parked[key] else { return }
        do throws(CacheFailure) {
            guard var story = try await parkedStory(key) else { return }
            for (index, page) in story.manifest.pages.enumerated()
            where page.state.isWanted || place.wantsAllMissing && !page.state.isCached {
                story.awaitPage(index)
            }
            story.settleIfNothingIsAwaited()
            apply(story.isChanged ? .soon : .none, story)
            request(key, isNew: false)
            dropIfAtRest(key)
        } catch {
            if parked.postpone(key, isDeadline: false, .now) { log.error("story \(key) cannot be taken up: \(error)") }
        }
    }

    /// Writes into the manifest of a story that its time is up; it stays parked.
    private func settleParked(_ key: StoryKey) async {
        await takeTurn(key)
        defer { endTurn(key) }
        guard !isStopping, parked[key] != nil else { return }
        do throws(CacheFailure) {
            guard var story = try await parkedStory(key), story.deadlinePassed() != .none else { return }
            try await put(story.beginWriting(at: .now()), of: story)
        } catch {
            if parked.postpone(key, isDeadline: true, .now) { log.error("story \(key) cannot be settled: \(error)") }
        }
    }

    /// Reads a parked story back from disk. Nil where it is gone: then it is parked no more.
    private func parkedStory(_ key: StoryKey) async throws(CacheFailure) -> LiveStory? {
        guard let container = table[key]?.container, let manifest = try await manifest(of: key.id, in: container) else {
            log.warning("story \(key) is gone from its container before all its pictures came")
            parked.remove(key)
            return nil
        }
        return newStory(manifest, in: container, content: manifest.userInfo.contentID)
    }
}
