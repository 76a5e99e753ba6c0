import Hashing
import MediaCache
import Platform
import Stories

// Stories in memory, with what they wait for, take up no more than `maximumLiveBytes`. The others are parked: their
// manifests are on disk, as accepted, and they are taken up in the order in which they became due. Where it is crowded,
// a settled story gives up its place while it only rests, or when it has waited for slots as long as a deadline and
// others are due; and any story gives it up to one that comes new and whose first page could start at once, while it waits
// for hosts that have no slot free. The last quarter is for stories that come new.

extension Prefetcher {
    /// Keeps the story in memory, or parks it where there is no place; its manifest is on disk. `isWanted`: somebody has
    /// asked for it just now.
    func keepOrPark(_ story: LiveStory, isWanted: Bool) {
        if live[story.key]?.generation == story.generation || story.isAtRest || story.isChanged || fits(story) {
            return keep(story)
        }
        var place = parked[story.key] ?? ParkedStories.Place(due: .now)
        if isWanted { place.due = .now }
        place.deadline = story.manifest.settled ? nil : story.deadline
        place.history = story.history
        place.wantsAllMissing = story.wantsAllMissing
        drop(story.key)
        parked.park(story.key, place)
        arm()
    }

    private func fits(_ story: LiveStory) -> Bool {
        func fits() -> Bool {
            let footprint = live.footprint - (live[story.key]?.footprint ?? 0)
            // One that is larger than all that is allowed must come up some time.
            return footprint == 0 || footprint + story.footprint <= options.maximumLiveBytes
        }
        let first = story.awaitedPlaces.min().map { story.manifest.pages[$0].page.url }
        guard let first, queue.couldStart(first) else { return fits() }
        while !fits(), let other = live.next(where: { isIdle($0) && !outlook(of: $0).couldStart }) { park(other) }
        return fits()
    }

    /// Parks the story where it is crowded and the story may leave.
    func parkIfCrowded(_ key: StoryKey) {
        guard live.footprint > options.maximumLiveBytes / 2, let story = live[key], story.manifest.settled,
            isIdle(story)
        else { return }
        let othersAreDue = parked.next.map { $0 <= .now } == true
        if !outlook(of: story).isQueued || (story.deadline <= .now && othersAreDue) { park(story) }
    }

    /// Whether nothing is being done for it: its manifest is on disk, and no transfer of it is under way.
    private func isIdle(_ story: LiveStory) -> Bool {
        !story.isChanged && !isInTurn(story.key) && writers[story.key] == nil && !outlook(of: story).isRunning
    }

    private func outlook(of story: LiveStory) -> FetchQueue.Outlook {
        queue.outlook(of: story.key, generation: story.generation)
    }

    private func park(_ story: LiveStory) {
        let outlook = outlook(of: story)
        drop(story.key)
        parked.park(
            story.key,
            ParkedStories.Place(
                due: outlook.isQueued ? .now : outlook.nextAttempt ?? .now,
                deadline: story.manifest.settled ? nil : story.deadline, history: outlook.history,
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
        // As urgent as acceptance, or a flood would keep stories from being settled in time.
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
            request(key, isNew: false, asksAgain: place.wantsAllMissing)
            dropIfAtRest(key)
            // It may be another than that which was parked first.
            releaseLeftovers()
        } catch {
            if parked.postpone(key, isDeadline: false, .now) {
                log.error(
                    "story \(key) cannot be taken up: \(error). It is tried again, ever rarer", .story(key),
                    .code(error.pageCode.rawValue))
            }
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
            if parked.postpone(key, isDeadline: true, .now) {
                log.error(
                    "story \(key) cannot be settled: \(error). It is tried again, ever rarer", .story(key),
                    .code(error.pageCode.rawValue))
            }
        }
    }

    /// Reads a parked story back from disk. Nil where it is gone: then it is parked no more.
    private func parkedStory(_ key: StoryKey) async throws(CacheFailure) -> LiveStory? {
        guard let container = table[key]?.container, let manifest = try await manifest(of: key.id, in: container) else {
            log.warning("story \(key) is gone from its container before all its pictures came", .story(key))
            parked.remove(key)
            releaseLeftovers()
            return nil
        }
        return newStory(manifest, in: container, content: manifest.userInfo.contentID)
    }
}
