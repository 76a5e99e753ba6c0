import Addresses
import Hashing
import ImageInspection
package import MediaCache
package import Platform
package import Stories

extension Prefetcher {
    /// Takes a story in: when this returns its manifest is durable, with the pages that were in the cache, and the
    /// others are on their way. The same story again changes nothing, but what is missing of it is tried at once. Where
    /// this throws the story is as it was before.
    package func accept(_ story: Story, group: GroupID?, receivedAt: Timestamp) async throws(CacheFailure) {
        let key = StoryKey(group: group, id: story.id)
        let start = Instant.now
        await takeTurn(key)
        defer { endTurn(key) }
        let container = try await storage.container(for: group)
        noteFallback(container)
        let content = story.userInfo.contentID
        let known = table[key]
        if let known, known.content == content, known.container == container, try await takeUpAgain(known) {
            return log.info("story \(key) came again, unchanged", .story(key))
        }
        if let known, known.receivedAt > receivedAt, known.receivedAt <= .now() {
            // It was put back, and meanwhile a newer one came. (One that seems to come from the future says nothing: the
            // clock was wrong then.)
            return log.info(
                "story \(key) of \(receivedAt) is superseded by that of \(known.receivedAt)", .story(key))
        }
        // Revisions go on, from those on disk and from one that may have come there by a write that failed half-way.
        let revision = max(known?.revision ?? 0, live[key]?.manifest.revision ?? 0)
        var manifest = Manifest(
            story, group: group, groupFallback: container.isGroupFallback, receivedAt: receivedAt, revision: revision)
        let holds = await lookUp(&manifest.pages, in: container, wantedSince: receivedAt)
        var new = newStory(manifest, in: container, content: content)
        for place in manifest.pages.indices where !manifest.pages[place].state.isCached { new.awaitPage(place) }
        new.settleIfNothingIsAwaited()
        // Until the first manifest is durable, the story before this one lives on.
        let first = new.beginWriting(at: .now())
        let accepted = new
        let rank = StoryRank(receivedAt: receivedAt, key: key)
        try await makingRoom(in: container, before: rank) { () async throws(CacheFailure) in
            try await put(first, of: accepted, acceptedFrom: start)
        }
        // What the manifest names it holds from here on.
        withExtendedLifetime(holds) {}
        let former = live[key]
        keepOrPark(new, isWanted: true)
        wrote(key, succeeded: true)
        let hits = manifest.pages.count { $0.state.isCached }
        counts.hits += hits
        counts.acceptedStories += 1
        counts.cachedPages[.cache, default: 0] += hits
        log.info("story \(key) accepted: \(manifest.pages.count) pages, \(hits) in the cache", .story(key))
        // In this order, so that a transfer that both want goes on, where the new one has a place.
        request(key)
        if let former { withdraw(former) }
        dropIfAtRest(key)
        releaseLeftovers()
        if let known, known.container != container { await removeStory(known) }
        if table.countsByContainer[container, default: 0] > options.maxStories { keepWithinLimits() }
    }

    private func noteFallback(_ container: Container) {
        guard container.isGroupFallback, let group = container.group, unprovisionedGroups.insert(group).inserted else {
            return
        }
        log.warning("group \(group) is not provisioned: its stories go to a fallback container", .group(group))
    }

    /// Finds the pictures that are there. A look-up that fails is a miss: it is the page's trouble, not the story's. So
    /// is what a stop leaves no time for: a look-up may read and copy a whole picture. Answers what keeps them there.
    private func lookUp(
        _ pages: inout [ManifestPage], in container: Container, wantedSince moment: Timestamp
    ) async -> [Hold] {
        var holds: [Hold] = []
        for place in pages.indices where !isStopping {
            do throws(CacheFailure) {
                let found = try await storage.fresh(
                    cacheKey(pages[place].page), in: container, wantedSince: moment, now: .now())
                guard let found else { continue }
                pages[place].state = .cached(CachedImage(found.object, source: .cache))
                holds.append(found.hold)
            } catch {
                log.debug("not looked up in the cache: \(error)")
            }
        }
        return holds
    }

    /// The story came again: what is missing of it is tried at once. False where it is not what is on disk.
    private func takeUpAgain(_ record: StoryRecord) async throws(CacheFailure) -> Bool {
        guard let manifest = try await manifest(of: record.key.id, in: record.container),
            manifest.userInfo.contentID == record.content
        else { return false }
        try await takeUp(manifest, in: record.container, content: record.content, isWanted: true) { !$0.isCached }
        request(record.key, asksAgain: true)
        return true
    }

    /// The other copy of a story that has moved to another container goes. Where it cannot, the next start removes it.
    func removeStory(_ record: StoryRecord) async {
        do throws(CacheFailure) {
            try await storage.removeStory(record.key.id, in: record.container)
        } catch {
            log.warning(
                "story \(record.key): its copy in the container before is still there: \(error)", .story(record.key),
                .code(error.pageCode.rawValue))
        }
    }

    func cacheKey(_ page: Page) -> String {
        page.url.key(ignoring: options.ignoredQueryParameters)
    }

    /// Asks for the pages that are awaited. They get new rounds until the horizon after the story was received: a
    /// restart does not begin it anew. `isNew`: they were not asked for before. `asksAgain`: also for
    /// what its origin has just said is not there.
    func request(_ key: StoryKey, isNew: Bool = true, asksAgain: Bool = false) {
        guard let story = live[key] else { return }
        let age = max(0, Double(Timestamp.now().milliseconds - story.manifest.receivedAt.milliseconds) / 1000)
        let giveUpAt = Instant.now.advanced(by: options.queue.retry.horizon - .seconds(age))
        for place in story.awaitedPlaces.sorted() {
            let page = story.manifest.pages[place].page
            if !asksAgain, let error = absences.error(of: cacheKey(page), at: .now) {
                if isNew { counts.misses += 1 }
                failAtOnce(key, place, error)
                continue
            }
            let notBefore = retryAsked(by: story.manifest.pages[place].state.error)
            let joining = queue.add(
                FetchQueue.Waiter(story: key, generation: story.generation, page: place), key: cacheKey(page),
                url: page.url, giveUpAt: giveUpAt, notBefore: notBefore, history: story.history)
            if isNew, joining != .known { counts.misses += 1 }
            if isNew, joining == .joined { counts.coalesced += 1 }
        }
        pump()
    }

    /// The origin has said a moment ago that there is no such picture.
    private func failAtOnce(_ key: StoryKey, _ place: Int, _ error: PageError) {
        guard var story = live[key] else { return }
        counts.failedPages[error.code, default: 0] += 1
        log.info(
            "story \(key) page \(story.manifest.pages[place].page.index): \(error.message) That was a moment ago: not asked again.",
            .story(key), .code(error.code.rawValue))
        apply(story.pageFailed(place, error, attempts: 0, roundIsOver: true), story)
    }

    /// When a page of an earlier run may be tried again. What the origin itself answered keeps its pace over a restart;
    /// what the network did may be over, and is tried at once.
    private func retryAsked(by error: PageError?) -> Instant? {
        guard let error, error.code == .httpStatus, let retryAt = error.retryAt else { return nil }
        let seconds = Double(retryAt.milliseconds - Timestamp.now().milliseconds) / 1000
        // No rest is longer: a clock that was set back must not make it so.
        let rest = min(.seconds(seconds), options.queue.retry.longestRest)
        return rest > .zero ? .now.advanced(by: rest) : nil
    }

    /// The story, which was replaced, wants nothing any more; transfers for it alone are given up.
    func withdraw(_ former: LiveStory) {
        for orphan in queue.withdraw(former.key, generation: former.generation) { running[orphan]?.cancel() }
    }
}
