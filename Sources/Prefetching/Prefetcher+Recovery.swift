import Hashing
import ImageInspection
import MediaCache
import Platform
import Stories

extension Prefetcher {
    /// Takes up what earlier runs left: every manifest on disk is a story again; pictures that are awaited, or failed in
    /// a way that may pass, are asked for. Then all that nothing refers to is removed. Call it once, before the first
    /// `accept`. A stop ends it before the next story, and leaves the rest to the next start.
    package func recover() async {
        let count = await takeUpAll()
        await startClock()
        var containers = table.containers
        // Those without a story as well, if that is certain: the last one may have been removed, and nothing after it.
        if await !storage.needsRecovery { containers.formUnion(await storage.containers().map(\.container)) }
        for container in containers where !isStopping { await renewLatest(in: container) }
        if count > 0 { log.info("\(count) stories found, \(live.count + parked.count) of them unfinished") }
        keepWithinLimits()
    }

    /// Tells the index what the stories hold, where it was lost or could not take all that it was told. Costs next to
    /// nothing where it is complete; call it every few seconds. Pictures that turn out to be gone are fetched again.
    /// While it does not succeed, since something on disk cannot be read, the calls that do anything are ever rarer. One
    /// that comes while another is at it waits for that.
    package func mendIndexIfNeeded(at now: SuspendingClock.Instant = .now) async {
        let work: Task<Void, Never>
        if let retelling {
            work = retelling
        } else {
            work = Task {
                await mendIndex(at: now)
                retelling = nil
            }
            retelling = work
        }
        await work.value
    }

    private func mendIndex(at now: SuspendingClock.Instant) async {
        guard !isStopping, await storage.needsRecovery else { return mending.succeeded() }
        guard mending.isDue(now) else { return }
        let count = await takeUpAll()
        if await storage.needsRecovery { return mending.failed(now) }
        mending.succeeded()
        log.info("the index was told again of \(count) stories")
    }

    /// Adopts all stories on disk, one after the other, and then asks for what they miss: only then does the index know
    /// which pictures there are. Answers their number.
    private func takeUpAll() async -> Int {
        var taken: [StoryKey] = []
        var isComplete = true
        let stories = await storage.storiesOnDisk()
        let found = Set(stories)
        complaints = complaints.filter { found.contains($0.key) }
        // What is kept of downloads that an earlier process began, and who wants it.
        var kept: [String: Set<StoryKey>] = Dictionary(uniqueKeysWithValues: await storage.keptKeys.map { ($0, []) })
        for stored in stories {
            if isStopping { return taken.count }
            let key = StoryKey(group: stored.container.group, id: stored.id)
            await takeTurn(key)
            do throws(CacheFailure) {
                if try await takeUp(stored, &kept) {
                    taken.append(key)
                    complaints[stored] = nil
                }
            } catch {
                complain(of: stored, "story \(key) cannot be taken up: \(error)")
                isComplete = false
            }
            endTurn(key)
        }
        await forgetVanished(but: stories)
        // What a manifest that could not be read holds must not be taken for a leftover.
        if isComplete, !isStopping { await storage.finishRecovery() }
        for key in taken {
            request(key)
            parkIfCrowded(key)
        }
        // A manifest that could not be read may want what no other does.
        leftovers.find(isComplete ? kept : kept.filter { !$0.value.isEmpty })
        releaseLeftovers()
        return taken.count
    }

    /// False where it is none of the stories that count. In `kept` it is entered for what it waits for.
    private func takeUp(
        _ stored: StoredStory, _ kept: inout [String: Set<StoryKey>]
    ) async throws(CacheFailure) -> Bool {
        let container = stored.container
        guard let manifest = try await manifest(of: stored.id, in: container) else { return false }
        let key = manifest.key
        guard manifest.id == stored.id, manifest.group == container.group else {
            complain(of: stored, "story \(stored.id) has the manifest of \(key): it is passed over")
            return false
        }
        let content = manifest.userInfo.contentID
        let record = StoryRecord(manifest, container: container, content: content)
        if let other = table[key], other.container != container {
            // Interrupted while the story moved to another container: revisions went on there.
            let isOlder = record.revision < other.revision
            await removeStory(isOlder ? record : other)
            if isOlder { return false }
            drop(key)
        }
        if table[key].map({ $0.revision < record.revision }) != false { _ = table.update(record, now: .now()) }
        try await takeUp(manifest, in: container, content: content, isWanted: false) { $0.isWanted }
        if !kept.isEmpty {
            for page in manifest.pages where page.state.isWanted { kept[cacheKey(page.page)]?.insert(key) }
        }
        return true
    }

    /// Tells the index what the manifest holds, which is the one on disk, and makes its story live where pages are missing
    /// that `awaits`; they are still to be asked for. `isWanted`: somebody has asked for the story just now.
    func takeUp(
        _ manifest: Manifest, in container: Container, content: ContentID, isWanted: Bool,
        where awaits: (PageState) -> Bool
    ) async throws(CacheFailure) {
        let lost = try await storage.adopt(
            manifest.pages.compactMap { holding(of: $0) }, of: manifest.id, in: container, now: .now())
        // A live story that is another than that on disk, which somebody has replaced, has no say in it.
        if let other = live[manifest.key], !other.isOf(manifest, content: content) { drop(manifest.key) }
        var story = live[manifest.key] ?? newStory(manifest, in: container, content: content)
        for place in manifest.pages.indices {
            let page = manifest.pages[place]
            // The live story may be ahead of its manifest.
            if story.manifest.pages[place].state == page.state, let holding = holding(of: page), lost.contains(holding)
            {
                story.pageLost(place)
            }
            if awaits(story.manifest.pages[place].state) { story.awaitPage(place) }
        }
        story.settleIfNothingIsAwaited()
        keepOrPark(story, isWanted: isWanted)
        if story.isChanged { apply(.soon, story) }
        dropIfAtRest(manifest.key)
    }

    private func holding(of page: ManifestPage) -> Holding? {
        page.state.image.flatMap(StoredObject.init).map { Holding(key: cacheKey(page.page), object: $0) }
    }
}
