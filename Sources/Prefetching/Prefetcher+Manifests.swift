import Hashing
import MediaCache
import Platform
import Stories

extension Prefetcher {
    /// How long changes of a manifest are gathered before it is written.
    private static let gathering = Duration.milliseconds(60)
    /// Writes at once: storage does one after the other, and each that waits holds a manifest's bytes.
    private static let maximumWriters = 8

    /// Puts the changed story in its place, and has its manifest written when that is due.
    func apply(_ urgency: LiveStory.Urgency, _ story: LiveStory) {
        var story = story
        if urgency == .now { story.isUrgent = true }
        keep(story)
        switch urgency {
        case .none: return
        case .later: plan(story.key, after: .seconds(1))
        case .soon: plan(story.key, after: Self.gathering)
        case .now: plan(story.key, after: .zero)
        }
    }

    /// Has the live story of that key written then, or earlier where that is planned already.
    private func plan(_ key: StoryKey, after delay: Duration) {
        let due = Instant.now.advanced(by: delay)
        guard var story = live[key], story.writeDue.map({ $0 > due }) != false else { return }
        story.writeDue = due
        keep(story)
        writes.append(key, due: due)
        startWrites()
        arm()
    }

    var mayBeginWrite: Bool { !isStopping && writers.count < Self.maximumWriters }

    /// Begins the writes that are due.
    func startWrites() {
        while mayBeginWrite, let (due, key) = writes.popDue(.now) {
            // A writer at work looks at its end what has become due meanwhile.
            guard var story = live[key], story.writeDue == due, writers[key] == nil else { continue }
            story.writeDue = nil
            keep(story)
            writers[key] = Task(priority: story.isUrgent ? .medium : .low) { await rewrite(key) }
        }
    }

    private func rewrite(_ key: StoryKey) async {
        await takeTurn(key)
        await writeIfChanged(key)
        writers[key] = nil
        endTurn(key)
        planAgain(key)
        startWrites()
        arm()
    }

    /// What has changed during a write is written when it would have been without that.
    private func planAgain(_ key: StoryKey) {
        guard var story = live[key] else { return }
        guard story.isChanged else {
            story.writeDue = nil
            return keep(story)
        }
        guard let due = story.writeDue else { return plan(key, after: Self.gathering) }
        // It may have been passed over meanwhile.
        writes.append(key, due: due)
    }

    private func writeIfChanged(_ key: StoryKey) async {
        guard !isStopping, var story = live[key], story.isChanged else { return }
        let manifest = story.beginWriting(at: .now())
        keep(story)
        do throws(CacheFailure) {
            let written = story
            let rank = StoryRank(receivedAt: manifest.receivedAt, key: key)
            try await makingRoom(in: story.container, before: rank) { () async throws(CacheFailure) in
                try await put(manifest, of: written)
            }
            wrote(key, succeeded: true)
        } catch {
            if story.failedWrites == 0 {
                log.error(
                    "story \(key): its manifest cannot be written: \(error). It is tried again within a minute",
                    .story(key), .code(error.pageCode.rawValue))
            }
            wrote(key, succeeded: false)
        }
        dropIfAtRest(key)
    }

    /// Notes how the write of the live story of that key ended. What failed is tried again, ever rarer.
    func wrote(_ key: StoryKey, succeeded: Bool) {
        guard var story = live[key] else { return }
        story.endWriting(succeeded: succeeded)
        keep(story)
        if !succeeded { plan(key, after: .seconds(min(5 * story.failedWrites, 60))) }
    }

    /// Makes a revision of the story what is on disk, durably, and has `latest.json` follow. `start`: where it is the
    /// first of a story, when that began to be accepted.
    func put(
        _ manifest: Manifest, of story: LiveStory, acceptedFrom start: Instant? = nil
    ) async throws(CacheFailure) {
        let container = story.container
        let released = try await storage.writeManifest(
            manifest.serialized(), of: manifest.id, in: container,
            pinning: Set(manifest.pages.compactMap(\.state.image?.contentID)))
        if let start { clocks.start(manifest.key, at: start) }
        clocks.wrote(manifest, at: .now)
        let record = StoryRecord(manifest, container: container, content: story.content)
        let settles = settles(record, isFirst: start != nil)
        if settles { logSettled(record) }
        let outdated = table.update(record, now: .now())
        tellRevision(record, manifest, of: story, isFirst: start != nil, settles: settles)
        if record.settled { settlementWaiters.resume(record.key) }
        repairs?.wrote(manifest, content: story.content)
        complaints[StoredStory(id: manifest.id, container: container)] = nil
        if outdated.contains(container), table.latest[container] == record.key {
            // Deciding and numbering in one step: `latest.json` follows the order of these decisions.
            do throws(CacheFailure) {
                try await storage.writeLatest(
                    LatestPointer(manifest).serialized(), in: container, decision: nextDecision())
                overdueLatest.succeeded(container)
            } catch {
                latestFailed(in: container, error)
            }
        }
        for other in outdated where table.latest[other] != record.key { await renewLatest(in: other) }
        // Last: nobody waits for it.
        await letGo(of: released, manifest, in: container)
    }

    /// What a story held before it was replaced, or a page was given another picture, goes; once nothing is awaited any
    /// more, as until then the older copy may be asked about, or serve where the origin is down.
    private func letGo(of contents: Set<ContentID>, _ manifest: Manifest, in container: Container) async {
        let stored = StoredStory(id: manifest.id, container: container)
        let all = released[stored, default: []].union(contents)
        guard !all.isEmpty else { return }
        if manifest.pages.contains(where: { $0.state.isWanted }) {
            released[stored] = all
        } else {
            released[stored] = nil
            await storage.removeUnpinned(all, in: container)
        }
    }

    private func nextDecision() -> Int {
        latestDecisions += 1
        return latestDecisions
    }

    /// Whether the revision is the one that settles its story; `isFirst`: nothing of the story was on disk before.
    private func settles(_ record: StoryRecord, isFirst: Bool) -> Bool {
        record.settled && (isFirst || table[record.key]?.settled != true)
    }

    private func logSettled(_ record: StoryRecord) {
        let seconds = Double(record.updatedAt.milliseconds - record.receivedAt.milliseconds) / 1000
        log.info(
            "story \(record.key) settled: \(record.state.rawValue), \(record.cached) of \(record.pages) pages cached, "
                + "after \(seconds) s", .story(record.key))
    }

    /// Has the container's `latest.json` name the story that is the newest to show; where there is none, it goes. What
    /// fails is tried again, ever rarer.
    func renewLatest(in container: Container) async {
        do throws(CacheFailure) {
            if let key = table.latest[container] {
                let manifest = try await manifest(of: key.id, in: container)
                // Where another revision has come meanwhile, its writer sees to it.
                if let manifest, table.latest[container] == key, table[key]?.revision == manifest.revision {
                    try await storage.writeLatest(
                        LatestPointer(manifest).serialized(), in: container, decision: nextDecision())
                }
            } else {
                try await storage.removeLatest(in: container, decision: nextDecision())
            }
            overdueLatest.succeeded(container)
        } catch {
            latestFailed(in: container, error)
        }
    }

    private func latestFailed(in container: Container, _ error: CacheFailure) {
        if overdueLatest.failed(container, .now) {
            log.error(
                "latest.json of \(container.group?.description ?? "no group") cannot be written: \(error). "
                    + "It is tried again, ever rarer", .group(container.group), .code(error.pageCode.rawValue))
        }
        arm()
    }

    /// The manifest of a story as it is on disk; nil where it is gone, or damaged, which is logged once.
    func manifest(of id: StoryID, in container: Container) async throws(CacheFailure) -> Manifest? {
        guard let bytes = try await storage.manifest(of: id, in: container) else { return nil }
        return await manifest(of: id, in: container, bytes)
    }

    /// What these bytes say, which are a story's manifest on disk; nil where they are damaged, which is logged once.
    func manifest(of id: StoryID, in container: Container, _ bytes: [UInt8]) async -> Manifest? {
        do {
            return try Manifest(bytes: bytes)
        } catch {
            let path = await storage.options.manifestPath(of: id, in: container)
            complain(of: StoredStory(id: id, container: container), "\(path) is damaged: \(error)")
            return nil
        }
    }

    /// Logs what is wrong with a story on disk, unless that has been said.
    func complain(of story: StoredStory, _ message: String) {
        if complaints.updateValue(message, forKey: story) != message {
            log.error(message, .story(StoryKey(group: story.container.group, id: story.id)))
        }
    }
}
