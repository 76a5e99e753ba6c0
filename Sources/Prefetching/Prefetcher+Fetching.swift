import Addresses
import ImageInspection
import MediaCache
import Metrics
import Platform
import Stories
import Transfers

extension Prefetcher {
    /// What one attempt brought, for each container that waited for it: the object, or why it could not be put there.
    struct Outcome {
        var arrivals: [Container: (held: HeldObject, source: PageSource)] = [:]
        var refusals: [Container: CacheFailure] = [:]
        /// Why the transfer, where one was needed, brought no picture.
        var failure: TransferFailure?
        /// What the URL gave before; it may serve where the origin cannot be reached.
        var stale: StaleObject?
        /// The containers that a transfer was made for, and could not take its bytes.
        var full: Set<Container> = []
    }

    /// Carries one attempt of a fetch through: bytes from the origin, an object in each container that wants it, the
    /// pages told.
    func fetch(_ start: FetchQueue.Start) async {
        var outcome = await outcome(of: start)
        await serveStaleWhereDown(start, &outcome)
        running[start.key] = nil
        guard !isStopping else { return }
        serve(start.key, outcome)
        if outcome.failure == .cancelled, Task.isCancelled {
            queue.cancelled(start.key)
        } else if outcome.failure != nil || !outcome.refusals.isEmpty {
            failed(start, outcome)
        } else {
            let byRequest = outcome.arrivals.values.contains { $0.source == .network }
            let networkIsBack = queue.succeeded(start.key, byRequest: byRequest, now: .now)
            if networkIsBack { parked.networkIsBack(.now) }
        }
        releaseLeftovers()
        pump()
    }

    private func outcome(of start: FetchQueue.Start) async -> Outcome {
        var outcome = Outcome()
        var missing: [Container] = []
        // The same URL may have been fetched between a page's look-up and this start.
        for container in containers(waitingFor: start.key) where !isStopping {
            let moment = wantedSince(start.key, in: container)
            do throws(CacheFailure) {
                let found = try await makingRoom(in: container, before: newest(waitingFor: start.key, in: container)) {
                    () async throws(CacheFailure) in
                    try await storage.fresh(start.key, in: container, wantedSince: moment, now: .now())
                }
                if let found {
                    outcome.arrivals[container] = (found, .cache)
                } else {
                    missing.append(container)
                }
            } catch {
                outcome.refusals[container] = error
            }
        }
        if missing.isEmpty { return outcome }
        outcome.stale = await storage.stale(start.key, now: .now())
        if let (partial, resumption) = await resume(start.key) {
            await download(into: partial, goingOnWith: resumption, for: missing, start, &outcome)
        } else if let partial = await makePartial(in: &missing, for: start.key, &outcome) {
            await download(into: partial, for: missing, start, &outcome)
        }
        return outcome
    }

    /// Downloads for the containers that miss the picture. Where the first of them cannot take the bytes, that is its
    /// own failure, and whoever else waits has another download.
    private func download(
        into partial: Partial, goingOnWith resumption: Resumption? = nil, for missing: [Container],
        _ start: FetchQueue.Start, _ outcome: inout Outcome
    ) async {
        let validators = outcome.stale.flatMap {
            Validators(etag: $0.freshness.etag, lastModified: $0.freshness.lastModified)
        }
        let told = ToldProgress()
        let request = TransferRequest(
            url: start.url, body: partial.descriptor, validators: validators, resumption: resumption
        ) { [weak self] isLate in
            Task(priority: .low) { await self?.connection(of: start, isLate: isLate) }
        } whenProgressed: { [weak self, listener] bytes, total in
            guard listener.isListening() else { return }
            Task(priority: .low) { await self?.progressed(start, bytes: bytes, total: total, told) }
        } whenKeepable: { [checkpoints] remains in
            checkpoints.note(partial, PartialNotes(key: start.key, remains))
        }
        let begin = Instant.now
        let result = await transfers.download(request)
        told.end()
        switch result {
        case .failure(let failure):
            let refusal = await lookAfter(partial, of: start, failure)
            guard let refusal, !Task.isCancelled, !isStopping else {
                outcome.failure = failure
                return
            }
            let newest = newest(waitingFor: start.key, in: partial.container)
            if await !makeRoom(for: refusal, in: partial.container, before: newest) {
                outcome.refusals[partial.container] = refusal
                outcome.full.insert(partial.container)
            }
            var others = unserved(start.key, outcome)
            guard let next = await makePartial(in: &others, for: start.key, &outcome) else { return }
            await download(into: next, for: others, start, &outcome)
        case .success(.unchanged(let response)):
            counts.completedTransfers += 1
            counts.transfers.observe(begin.duration(to: .now))
            await storage.discard(partial)
            guard let stale = outcome.stale else { return }
            await storage.revalidated(start.key, stale, ResponseHeaders(response), now: .now())
            if await share(stale.object, .revalidated, start.key, &outcome) > 0 { counts.revalidated += 1 }
            // Gone or damaged meanwhile: asked for once more, without conditions.
            outcome.stale = nil
            var others = unserved(start.key, outcome)
            guard !others.isEmpty, !isStopping, !Task.isCancelled,
                let next = await makePartial(in: &others, for: start.key, &outcome)
            else { return }
            await download(into: next, for: others, start, &outcome)
        case .success(.picture(let download)):
            counts.completedTransfers += 1
            if download.resumedFrom > 0 { counts.resumedTransfers += 1 }
            counts.transfers.observe(begin.duration(to: .now))
            let late = unserved(start.key, outcome).filter { !missing.contains($0) }
            let object = StoredObject(content: download.content, header: download.header, bytes: download.bytes)
            let takers = await reserve(object, for: partial, in: missing + late, start.key, &outcome)
            let results = await storage.publish(
                partial, as: object, key: start.key,
                freshness: Freshness(ResponseHeaders(download.response), now: .now()), into: takers)
            for (container, result) in results {
                switch result {
                case .success(let held): outcome.arrivals[container] = (held, .network)
                case .failure(let failure): outcome.refusals[container] = failure
                }
            }
            await shareWithLate(start.key, &outcome)
        }
    }

    private func connection(of start: FetchQueue.Start, isLate: Bool) {
        queue.connection(of: start, isLate: isLate)
        pump()
    }

    /// Opens a file in the first container that can have one; those before it are struck off, with the reason.
    private func makePartial(
        in containers: inout [Container], for key: String, _ outcome: inout Outcome
    ) async -> Partial? {
        while let container = containers.first {
            do throws(CacheFailure) {
                return try await makingRoom(in: container, before: newest(waitingFor: key, in: container)) {
                    () async throws(CacheFailure) in
                    try await storage.makePartial(in: container)
                }
            } catch {
                outcome.refusals[container] = error
                containers.removeFirst()
            }
        }
        return nil
    }

    /// Tells the pages whose picture is in their container now.
    private func serve(_ key: String, _ outcome: Outcome) {
        var served: [FetchQueue.Waiter] = []
        for waiter in queue.waiters(for: key) {
            // A story that is gone wants nothing.
            guard var story = story(of: waiter) else {
                served.append(waiter)
                continue
            }
            guard let arrival = outcome.arrivals[story.container] else { continue }
            let image = CachedImage(arrival.held.object, source: arrival.source)
            let attempts = arrival.source == .cache ? 0 : 1
            apply(story.pageCached(waiter.page, image, attempts: attempts, hold: arrival.held.hold), story)
            counts.cachedPages[arrival.source, default: 0] += 1
            served.append(waiter)
        }
        queue.satisfy(served, of: key)
    }

    /// Tells the pages that still wait why, and when they are tried again.
    private func failed(_ start: FetchQueue.Start, _ outcome: Outcome) {
        let transfer = outcome.failure
        let now = Instant.now
        if let transfer {
            absences.note(
                start.key, PageError(transfer.code, transfer.message, httpStatus: transfer.httpStatus), at: now)
        }
        let ended = queue.failed(
            start.key,
            FetchQueue.Failure(
                // What the cache refuses may be taken later. Cancelled although nobody wished it: the loop has ended.
                mayPass: transfer.map { $0.mayPass || $0.code == .cancelled }
                    ?? outcome.refusals.values.contains(where: \.mayPass),
                isNetwork: transfer?.isNetwork ?? false, retryAfter: transfer?.retryAfter,
                // A full disk is none in a second, and a download for it would be for nothing.
                endsRound: transfer == nil),
            now: now, chance: .random(in: 0..<1))
        if transfer != nil {
            if ended.roundIsOver { counts.failedTransfers += 1 } else { counts.retriedTransfers += 1 }
        }
        let retryAt = ended.retryAt.map { Timestamp.now().advanced(bySeconds: now.duration(to: $0) / .seconds(1)) }
        tell(ended.retrying, outcome, start, retryAt: retryAt, roundIsOver: ended.roundIsOver)
        tell(ended.givenUp, outcome, start, retryAt: nil, roundIsOver: true)
    }

    private func tell(
        _ waiters: [FetchQueue.Waiter], _ outcome: Outcome, _ start: FetchQueue.Start, retryAt: Timestamp?,
        roundIsOver: Bool
    ) {
        var told: PageError?
        for waiter in waiters {
            guard var story = story(of: waiter) else { continue }
            let error = error(for: story.container, outcome, retryAt: retryAt)
            let wasAskedFor =
                outcome.full.contains(story.container)
                || outcome.refusals[story.container] == nil && outcome.failure != nil
            if told == nil {
                let page = story.manifest.pages[waiter.page].page.index
                let others = waiters.count > 1 ? " and \(waiters.count - 1) more" : ""
                let next = retryAt.map { " Next try at \($0)." } ?? ""
                log.warning(
                    "story \(waiter.story) page \(page)\(others) from \(start.url.origin): \(error.code.rawValue): "
                        + error.message + next, .story(waiter.story), .code(error.code.rawValue))
            }
            told = error
            if roundIsOver { counts.failedPages[error.code, default: 0] += 1 }
            apply(
                story.pageFailed(waiter.page, error, attempts: wasAskedFor ? 1 : 0, roundIsOver: roundIsOver), story)
        }
    }

    /// A container's own trouble comes first; a page that came too late for all else is told what the others are.
    private func error(for container: Container, _ outcome: Outcome, retryAt: Timestamp?) -> PageError {
        if let transfer = outcome.failure, outcome.refusals[container] == nil {
            return PageError(transfer.code, transfer.message, httpStatus: transfer.httpStatus, retryAt: retryAt)
        }
        let refusal = outcome.refusals[container] ?? outcome.refusals.first?.value
        return PageError(
            refusal?.pageCode ?? .io, Self.sentence(refusal?.message ?? "The cache took no picture"), retryAt: retryAt)
    }

    /// A failure's message as a sentence, as the other messages of pages are: more may follow it.
    static func sentence(_ message: String) -> String { message.hasSuffix(".") ? message : message + "." }

    /// The newest of the stories that want the picture in this container: for it older ones may go.
    func newest(waitingFor key: String, in container: Container) -> StoryRank? {
        queue.waiters(for: key).lazy
            .compactMap { self.story(of: $0) }.filter { $0.container == container }
            .map { StoryRank(receivedAt: $0.manifest.receivedAt, key: $0.key) }.max()
    }

    /// When the newest of the stories came that want the picture in this container: what was obtained since then serves
    /// them all.
    private func wantedSince(_ key: String, in container: Container) -> Timestamp {
        queue.waiters(for: key).lazy
            .compactMap { self.story(of: $0) }.filter { $0.container == container }
            .map(\.manifest.receivedAt).max() ?? .now()
    }

    /// The containers of the stories that want the picture, in the order they came.
    func containers(waitingFor key: String) -> [Container] {
        var containers: [Container] = []
        var seen: Set<Container> = []
        for waiter in queue.waiters(for: key) {
            guard let story = story(of: waiter), seen.insert(story.container).inserted else { continue }
            containers.append(story.container)
        }
        return containers
    }
}
