import Hashing
import ImageInspection
import JSON
package import MediaCache
import Platform
import Stories

extension Prefetcher {
    /// Takes up what earlier runs left: every manifest on disk is a story again; pictures that are awaited, or failed in
    /// a way that may pass, are asked for. Then all that nothing refers to is removed. Call it once, before the first
    /// `accept`.
    package func recover() async throws(CacheFailure) {
        var found: [(manifest: Manifest, container: Container)] = []
        for stored in await storage.storiesOnDisk() {
            guard let manifest = try await manifest(of: stored.id, in: stored.container) else { continue }
            guard manifest.id == stored.id, manifest.group == stored.container.group else {
                log.error("story \(stored.id) has the manifest of \(manifest.key): it is passed over")
                continue
            }
            found.append((manifest, stored.container))
        }
        // The oldest first, so that of two stories received at once the same one is the newer as before.
        found.sort { ($0.manifest.receivedAt, $0.manifest.updatedAt) < ($1.manifest.receivedAt, $1.manifest.updatedAt) }
        for (manifest, container) in found { try await recover(manifest, in: container) }
        await storage.finishRecovery()
        for (key, story) in live { request(key, generation: story.generation) }
        if !found.isEmpty { log.info("\(found.count) stories found, \(live.count) of them unfinished") }
    }

    private func recover(_ manifest: Manifest, in container: Container) async throws(CacheFailure) {
        let key = manifest.key
        if let other = table[key], other.container != container {
            // Interrupted while the story moved to another container: the newer one, which is this one, counts.
            try await storage.removeStory(key.id, in: other.container)
            live[key] = nil
        }
        let content = ContentID.of(utf8: JSONValue.object(manifest.userInfo).serialized(sortedKeys: true))
        var manifest = manifest
        let missing = try await storage.adopt(
            manifest.pages.compactMap { holding(of: $0) }, of: manifest.id, in: container, now: .now())
        var awaited: [Int] = []
        for place in manifest.pages.indices {
            let page = manifest.pages[place]
            if let holding = holding(of: page), missing.contains(holding) { manifest.pages[place].state = .pending() }
            switch manifest.pages[place].state {
            case .pending: awaited.append(place)
            case .failed(let error) where error.retryAt != nil: awaited.append(place)
            case .failed, .cached: break
            }
        }
        let order = place(manifest, in: container, content: content, awaiting: awaited)
        _ = table.update(StoryRecord(manifest, container: container, content: content, order: order))
        if !missing.isEmpty { live[key]?.markChanged() }
        guard let story = live[key] else { return }
        if story.isAtRest { live[key] = nil } else if story.isChanged { apply(.soon, story) }
    }

    private func holding(of page: ManifestPage) -> Holding? {
        page.state.image.flatMap(StoredObject.init).map { Holding(key: cacheKey(page.page), object: $0) }
    }
}
