import Hashing
import MediaCache
import Platform
import Stories

// Stories in memory, with what they wait for, take up no more than `maximumLiveBytes`. The others are parked: their
// manifests are on disk, as accepted, and they are taken up in the order in which they became due. A story that is
// settled gives up its place to them while it only rests, or waits for slots longer than the deadline of a story.

extension Prefetcher {
    /// Whether the story may be kept in memory; others may be parked for that.
    func hasPlace(for story: LiveStory) -> Bool {
        while live.footprint + story.footprint > options.maximumLiveBytes,
            let leaving = live.oldest(where: { mayLeave($0) })
        {
            park(leaving)
        }
        // One that is larger than all that is allowed must come up some time.
        return live.isEmpty || live.footprint + story.footprint <= options.maximumLiveBytes
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

    /// Keeps the story in memory, or parks it where there is no place; its manifest is on disk.
    func keepOrPark(_ story: LiveStory) {
        if story.isAtRest || story.isChanged || hasPlace(for: story) { return keep(story) }
        drop(story.key)
        parked.park(
            story.key, ParkedStories.Place(due: .now, deadline: story.manifest.settled ? nil : story.deadline))
    }

    /// When parked stories are to be looked at next. Most of what frees a place is an event; for the rest we look.
    var nextUnparking: Instant? {
        guard unparking == nil else { return nil }
        let free = parked.next.map { live.footprint < options.maximumLiveBytes ? $0 : max($0, .now + .seconds(1)) }
        return [free, parked.nextDeadline].compactMap(\.self).min()
    }

    /// Takes up the parked stories that are due, as far as there are places, and settles those whose deadline has passed.
    func startUnparking() {
        let now = Instant.now
        let isDue = [parked.next, parked.nextDeadline].contains { $0.map { $0 <= now } == true }
        guard isDue, unparking == nil, !isStopping else { return }
        unparking = Task {
            await unpark()
            unparking = nil
            arm()
        }
    }

    private func unpark() async {
        while !isStopping {
            if let overdue = parked.popOverdue(.now) {
                await settleParked(overdue)
            } else if mayTakeUp, let (key, place) = parked.popDue(.now) {
                await takeUpParked(key, place)
            } else {
                return
            }
        }
    }

    /// Whether there is a place, or one that somebody gives up.
    private var mayTakeUp: Bool {
        if live.footprint >= options.maximumLiveBytes, let leaving = live.oldest(where: { mayLeave($0) }) {
            park(leaving)
        }
        return live.footprint < options.maximumLiveBytes
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
