import MediaCache
import Platform
import Stories

extension Prefetcher {
    /// How long changes of a manifest are gathered before it is written.
    private static let gathering = Duration.milliseconds(60)
    /// How long after a failed write of a manifest it is tried again.
    private static let retry = Duration.seconds(5)

    /// Puts the changed story in its place, and has its manifest written when that is due.
    func apply(_ urgency: LiveStory.Urgency, _ story: LiveStory) {
        live[story.key] = story
        switch urgency {
        case .none: return
        case .soon: writes.append(story.key, due: .now.advanced(by: Self.gathering))
        case .now: writes.append(story.key, due: .now)
        }
        startWrites()
        arm()
    }

    /// Begins the writes that are due.
    func startWrites() {
        while let (_, key) = writes.popDue(.now) {
            guard !isStopping, let story = live[key], story.isChanged, !story.isWriting else { continue }
            Task { await rewrite(key, generation: story.generation) }
        }
    }

    private func rewrite(_ key: StoryKey, generation: Int) async {
        do throws(CacheFailure) {
            try await write(key, generation: generation)
        } catch {
            log.error("story \(key): its manifest cannot be written: \(error)")
            writes.append(key, due: .now.advanced(by: Self.retry))
            arm()
        }
    }

    /// Writes the next revision of a story, and `latest.json` where that names it. Durable when this returns.
    func write(_ key: StoryKey, generation: Int) async throws(CacheFailure) {
        guard var story = live[key], story.generation == generation, !story.isWriting else { return }
        let manifest = story.beginWriting(at: .now())
        live[key] = story
        var failure: CacheFailure?
        do throws(CacheFailure) {
            try await storage.writeManifest(
                manifest.serialized(), of: key.id, in: story.container,
                pinning: Set(manifest.pages.compactMap(\.state.image?.contentID)))
            // Deciding and asking storage in one step: `latest.json` is written in the order of these decisions.
            if record(StoryRecord(manifest, container: story.container, content: story.content, order: generation)) {
                try await storage.writeLatest(LatestPointer(manifest).serialized(), in: story.container)
            }
        } catch {
            failure = error
        }
        if var written = live[key], written.generation == generation {
            written.endWriting(succeeded: failure == nil)
            live[key] = written.isAtRest ? nil : written
            if failure == nil, written.isChanged { apply(.soon, written) }
        }
        if let failure { throw failure }
    }

    /// Remembers what is on disk now. True where `latest.json` has to name it.
    private func record(_ record: StoryRecord) -> Bool {
        if record.settled, table[record.key]?.settled != true || table[record.key]?.content != record.content {
            let seconds = Double(record.updatedAt.milliseconds - record.receivedAt.milliseconds) / 1000
            log.info(
                "story \(record.key) settled: \(record.state.rawValue), \(record.cached) of \(record.pages) pages cached, "
                    + "after \(seconds) s")
        }
        return table.update(record)
    }

    /// The manifest of a story as it is on disk; nil where it is gone, or damaged, which is logged.
    func manifest(of id: StoryID, in container: Container) async throws(CacheFailure) -> Manifest? {
        guard let bytes = try await storage.manifest(of: id, in: container) else { return nil }
        do {
            return try Manifest(bytes: bytes)
        } catch {
            let path = await storage.options.manifestPath(of: id, in: container)
            log.error("\(path) is damaged: \(error)")
            return nil
        }
    }
}
