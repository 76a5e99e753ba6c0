import Hashing
import MediaCache
import Platform
import Stories

// Every object is read. The pages whose pictures turn out to be damaged or gone become pending again in their manifests,
// and are fetched as after a start.

extension Prefetcher {
    /// How long a verification waits for what it found lost to be fetched again.
    private static let patience = Duration.seconds(60)

    /// Reads every object of every container and has what is damaged or gone fetched again. Returns when of all that it
    /// is known whether it came, or after a minute. Nil where one is under way already: that began before, and may have
    /// passed over what is asked about now.
    package func verify() async -> Verification? {
        guard repairs == nil else { return nil }
        repairs = Repairs()
        defer { repairs = nil }
        var (checked, last) = (0, ContentID?.none)
        while !isStopping {
            let contents = await storage.contents(after: last)
            if contents.isEmpty, await !hasMendedIndex() { break }
            for content in contents where !isStopping {
                var found = await storage.verify(content)
                if found.checked == 0, await hasMendedIndex() { found = await storage.verify(content) }
                checked += found.checked
                for object in found.lost { await replace(object) }
            }
            last = contents.last ?? last
        }
        let known = repairs?.count ?? 0
        await replaceMissing()
        checked += (repairs?.count ?? 0) - known
        let limit = Instant.now.advanced(by: Self.patience)
        await untilRepaired(limit)
        // Once more: a story that was about to name a picture when that was lost has named it by now, and a manifest that
        // could not be read may be readable.
        await replaceMissing()
        await untilRepaired(limit)
        let result = Verification(checked: checked, corrupt: repairs?.count ?? 0, repaired: repairs?.repaired ?? 0)
        if result.corrupt > 0 {
            log.warning(
                "verified: of \(result.checked) objects \(result.corrupt) were damaged or gone, \(result.repaired) of "
                    + "these are repaired")
        } else if await storage.needsRecovery {
            log.warning("verified: \(result.checked) objects, all whole, but the index does not know all there is")
        } else {
            log.info("verified: \(result.checked) objects, all whole")
        }
        return result
    }

    /// Whether the index, which says of nothing that it is there where it fails, had failed and knows all again.
    private func hasMendedIndex() async -> Bool {
        guard await storage.needsRecovery else { return false }
        await mendIndexIfNeeded()
        return await !storage.needsRecovery
    }

    /// Has what stories hold, and no container has, waited for again.
    func replaceMissing() async {
        for object in await storage.missing() where !isStopping { await replace(object) }
    }

    /// Has the pages of a lost picture wait for it again.
    func replace(_ object: LostObject) async {
        // Where it stays it is of no use, and no other can take its place.
        var isUndecided = !object.isRemoved
        var gaps: [Repairs.Gap: ContentID] = [:]
        for holder in object.holders where !isStopping && object.isRemoved {
            let key = StoryKey(group: holder.container.group, id: holder.id)
            await takeTurn(key)
            do throws(CacheFailure) {
                if let places = try await takeUpAgain(key, missing: object) {
                    for place in places { gaps[Repairs.Gap(story: key, place: place)] = table[key]?.content }
                } else {
                    isUndecided = true
                }
            } catch {
                complain(of: holder, "story \(key) misses a picture and cannot be taken up: \(error)")
                isUndecided = true
            }
            endTurn(key)
        }
        // Only then asked for, so that nothing comes before it is known to be missed.
        repairs?.lost(object, gaps, isUndecided: isUndecided)
        for (gap, content) in gaps where table[gap.story]?.content != content { repairs?.gone(gap.story) }
        for key in Set(gaps.keys.map(\.story)) { request(key, asksAgain: true) }
    }

    /// Tells the pages of a story that their picture is lost. Answers their places; nil where its manifest does not tell
    /// them. For who has its turn.
    private func takeUpAgain(_ key: StoryKey, missing object: LostObject) async throws(CacheFailure) -> [Int]? {
        guard let record = table[key], record.container == object.container else { return [] }
        guard let bytes = try await storage.manifest(of: key.id, in: record.container) else {
            try await forgetVanished(record)
            return []
        }
        guard let manifest = await manifest(of: key.id, in: record.container, bytes),
            manifest.userInfo.contentID == record.content
        else { return nil }
        try await takeUp(manifest, in: record.container, content: record.content, isWanted: true) { $0.isWanted }
        return manifest.pages.indices.filter { place in
            manifest.pages[place].state.image?.contentID == object.content
                && live[key]?.manifest.pages[place].state.isCached == false
        }
    }

    private func untilRepaired(_ limit: Instant) async {
        guard !isStopping else { return }
        let alarm = Task {
            // Cancelled: it is not waited for any more.
            guard (try? await Task.sleep(until: limit, clock: .suspending)) != nil else { return }
            repairs?.stopWaiting()
        }
        await withCheckedContinuation { continuation in
            // There is one for as long as `verify` runs.
            if repairs == nil { continuation.resume() } else { repairs?.wait(continuation) }
        }
        alarm.cancel()
    }
}
