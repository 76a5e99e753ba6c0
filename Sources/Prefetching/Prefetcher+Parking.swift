import Hashing
import MediaCache
import Platform
import Stories

// Stories in memory, with what they wait for, take up no more than `maximumLiveBytes`. The others are parked: their
// manifests are on disk, as accepted, and they are taken up in the order in which they became due. Where it is crowded,
// a settled story gives up its place while it only rests, or waits for slots longer than the deadline of a story.

extension Prefetcher {
    /// Keeps the story in memory, or parks it where there is no place; its manifest is on disk.
    func keepOrPark(_ story: LiveStory) {
        let fits = live.footprint + story.footprint <= options.maximumLiveBytes
        // One that is larger than all that is allowed must come up some time.
        if fits || live.isEmpty || story.isAtRest || story.isChanged { return keep(story) }
        drop(story.key)
        parked.park(
            story.key, ParkedStories.Place(due: .now, deadline: story.manifest.settled ? nil : story.deadline))
        arm()
    }

    /// Parks the story where it is crowded and the story may leave. Call it when something has ended for it.
    func parkIfCrowded(_ key: StoryKey) {
        guard live.footprint > options.maximumLiveBytes / 2, let story = live[key], mayLeave(story) else { return }
        park(story)
    }

    private func mayLeave(_ story: LiveStory) -> Bool {
        guard story.manifest.settled, !story.isChanged, turns[story.key] == nil, writers[story.key] == nil else {
            return false
        }
        let outlook = queue.outlook(of: story.key, generation: story.generation)
        return !outlook.isRunning && (!outlook.isQueued || story.deadline <= .now)
    }

    private func park(_ story: LiveStory) {
        let outlook = queue.outlook(of: story.key, generation: story.generation)
        let due = outlook.isQueued ? nil : outlook.nextAttempt
        drop(story.key)
        parked.park(
            story.key,
            ParkedStories.Place(due: due ?? .now, rounds: outlook.rounds, isSevered: outlook.isSevered))
    }

    /// The last quarter is for stories that come new.
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
        while !isStopping {
            if let overdue = parked.popOverdue(.now) {
                await settleParked(overdue)
            } else if hasFreePlace, let (key, place) = parked.popDue(.now) {
                await takeUpParked(key, place)
            } else {
                return
            }
        }
    }

    private func takeUpParked(_ key: StoryKey, _ place: ParkedStories.Place) async {
        await takeTurn(key)
        defer { endTurn(key) }
        // Somebody may have taken it up, or parked it again, before our turn.
        guard !isStopping, live[key] == nil, parked[key] == nil else { return }
        do throws(CacheFailure) {
            guard var story = try await parkedStory(key, deadline: place.deadline) else { return }
            for (index, page) in story.manifest.pages.enumerated() where page.state.isWanted { story.awaitPage(index) }
            story.settleIfNothingIsAwaited()
            apply(story.isChanged ? .soon : .none, story)
            request(key, failedRounds: place.rounds)
            dropIfAtRest(key)
        } catch {
            log.error("story \(key) cannot be taken up: \(error)")
            parked.park(
                key, ParkedStories.Place(due: .now + .seconds(60), deadline: place.deadline, rounds: place.rounds))
        }
    }

    /// Writes into the manifest of a story that its time is up; it stays parked.
    private func settleParked(_ key: StoryKey) async {
        await takeTurn(key)
        defer { endTurn(key) }
        guard !isStopping, live[key] == nil, let place = parked[key] else { return }
        do throws(CacheFailure) {
            guard var story = try await parkedStory(key, deadline: nil), story.deadlinePassed() != .none else { return }
            try await put(story.beginWriting(at: .now()), of: story)
        } catch {
            log.error("story \(key) cannot be settled: \(error)")
            parked.park(
                key, ParkedStories.Place(due: place.due, deadline: .now + .seconds(5), rounds: place.rounds))
        }
    }

    /// Reads a story back from disk; nil where it is gone.
    private func parkedStory(_ key: StoryKey, deadline: Instant?) async throws(CacheFailure) -> LiveStory? {
        guard let container = table[key]?.container, let manifest = try await manifest(of: key.id, in: container)
        else { return nil }
        return newStory(manifest, in: container, content: manifest.userInfo.contentID, deadline: deadline)
    }
}
