import Hashing
import MediaCache
import Platform
import Stories

// What nobody asks for: whether all that manifests name is still there is looked at every few seconds, a slice at a time,
// and whether it still is what it was is read, when there is nothing else to do. What is lost goes the way of a
// verification.

extension Prefetcher {
    /// Objects' files that are looked at in one go, at most, in slices of the storage's.
    private static let slices = 4

    /// Looks after what is on disk, in the background. Costs little where all is well; call it every few seconds.
    package func lookAfterCache() {
        guard upkeep == nil, !isStopping else { return }
        // Not in the background: it takes turns at stories, and who waits for one could wait for ever on a busy machine.
        upkeep = Task(priority: .low) {
            await lookAround()
            await scrubABit(at: .now)
            upkeep = nil
        }
    }

    /// Whether nothing is being fetched, accepted, written or verified.
    private var hasTime: Bool {
        !isStopping && repairs == nil && queue.active == 0 && queue.queued == 0 && turns.isEmpty && writers.isEmpty
            && trimming == nil && unparking == nil
    }

    // MARK: What others did

    /// Notices what was removed or brought in from outside: containers at once, files by and by.
    func lookAround() async {
        for (container, stories) in await storage.noticeContainers() where await isOther(container, than: stories) {
            await storage.requireRecovery()
        }
        await lookAtLatest()
        // A recovery, or the verification, finds all there is to be found.
        for _ in 0..<Self.slices where repairs == nil && !isStopping {
            if await storage.needsRecovery { return }
            let (last, lost) = await storage.look(after: lastLookedAt)
            lastLookedAt = last
            for object in lost { await replace(object) }
            guard last == nil else { continue }
            return await replaceMissing()
        }
    }

    /// Has each `latest.json` written again that does not name the story it is to name: it is what players watch.
    private func lookAtLatest() async {
        for container in table.containers where !isStopping {
            guard let expected = restingLatest(in: container) else { continue }
            let found = await storage.latest(in: container)
            // Whatever somebody is at work on is no more what is expected.
            if found?.id == expected.key.id, found?.revision == expected.revision { continue }
            guard restingLatest(in: container) == expected else { continue }
            await storage.noteLatest(in: container)
            log.warning("latest.json of \(expected.key) was removed or overwritten, and is written again")
            await renewLatest(in: container)
        }
    }

    /// The story that a container's `latest.json` names, where nobody is at work on it.
    private func restingLatest(in container: Container) -> StoryRecord? {
        guard let key = table.latest[container], !isInTurn(key), overdueLatest.next == nil else { return nil }
        return table[key]
    }

    /// Whether a container, which had these stories a moment ago, has others than are known. What somebody is at work on
    /// says nothing: it may be on disk and not known yet. Nor does what was found before, and stayed as it was (a manifest
    /// that cannot be read): the same would come of it again.
    private func isOther(_ container: Container, than stories: [StoryID]) async -> Bool {
        let known = table.all.lazy.filter { $0.container == container }.map(\.key.id)
        let differing = Set(stories).symmetricDifference(known)
        disputed = disputed.filter { $0.key.container != container || differing.contains($0.key.id) }
        var isOther = false
        for id in differing {
            let (key, stored) = (StoryKey(group: container.group, id: id), StoredStory(id: id, container: container))
            do throws(CacheFailure) {
                let isThere = try await storage.manifest(of: id, in: container) != nil
                guard !isInTurn(key), isThere != (table[key]?.container == container) else { continue }
                if disputed.updateValue(isThere, forKey: stored) != isThere { isOther = true }
            } catch {
                log.debug("not looked for: \(error)")
            }
        }
        return isOther
    }

    /// Gives up the stories that are known and not on disk any more, by the list of those that are. Only those whose
    /// container could be searched.
    func forgetVanished(but stored: [StoredStory]) async {
        let present = Set(stored)
        var searched: Set<Container> = []
        for container in table.containers where await storage.hasSearched(container) { searched.insert(container) }
        let vanished = table.all.filter {
            searched.contains($0.container) && !present.contains(StoredStory(id: $0.key.id, container: $0.container))
        }
        for record in vanished where !isStopping {
            await takeTurn(record.key)
            defer { endTurn(record.key) }
            do throws(CacheFailure) {
                // As of now.
                guard table[record.key]?.container == record.container,
                    try await storage.manifest(of: record.key.id, in: record.container) == nil
                else { continue }
                try await forgetVanished(record)
            } catch {
                complain(
                    of: StoredStory(id: record.key.id, container: record.container),
                    "story \(record.key) cannot be looked for: \(error)")
            }
        }
    }

    /// One whose pictures are under way is known in full, and written again; of the others nothing is left but a record.
    /// For who has its turn.
    func forgetVanished(_ record: StoryRecord) async throws(CacheFailure) {
        guard let story = live[record.key], story.container == record.container else {
            log.warning("story \(record.key) was removed from its container", .story(record.key))
            await storage.noteVanished(in: record.container)
            _ = try await remove(record, isEviction: false)
            return
        }
        try await takeUp(story.manifest, in: story.container, content: story.content, isWanted: true) { $0.isWanted }
        guard var story = live[record.key] else { return }
        story.manifestLost()
        apply(.soon, story)
        request(record.key)
    }

    // MARK: The scrub

    /// Reads on, as much as may be read now, for as long as there is nothing else to do.
    func scrubABit(at moment: Scrub.Instant) async {
        guard hasTime, await !storage.needsRecovery else { return }
        if scrub == nil { scrub = Scrub(await storage.scrubMemory) }
        guard scrub?.isDue(await lookAtClock(), at: moment) == true else { return }
        reading: while hasTime, scrub?.mayRead == true {
            let contents = await storage.contents(after: scrub?.position)
            if contents.isEmpty {
                // An index that fails says of nothing that it is there.
                if await !storage.needsRecovery { endScrub() }
                break
            }
            for content in contents where hasTime && scrub?.mayRead == true {
                let (objects, bytes, lost) = await storage.verify(content)
                if objects == 0, await storage.needsRecovery { break reading }
                scrub?.read(content, objects: objects, bytes: bytes, lost: lost.count)
                for object in lost { await replace(object) }
            }
        }
        if let memory = scrub?.memory { await storage.remember(memory) }
    }

    private func endScrub() {
        scrub?.end()
        guard let found = scrub?.found else { return }
        if found.corrupt > 0 {
            log.warning("looked through the cache: \(found.corrupt) of \(found.checked) objects were damaged or gone")
        } else {
            log.info("looked through the cache: \(found.checked) objects, all whole")
        }
    }
}
