import Addresses
import ImageInspection
import MediaCache
import Platform
import Stories
import Transfers

extension Prefetcher {
    /// Carries one attempt of a fetch through: bytes from the origin, an object in each container that wants it, the
    /// pages told.
    func fetch(_ start: FetchQueue.Start) async {
        let outcome = await outcome(of: start)
        running[start.key] = nil
        guard !isStopping else { return }
        switch outcome {
        case .success(let fetched): await succeeded(start, fetched)
        case .failure(let failure): failed(start, failure)
        }
        pump()
    }

    private struct Fetched {
        let source: PageSource
        /// Where the object is, or why it could not be put there.
        var places: [Container: Result<StoredObject, PageError>]
    }

    private func outcome(of start: FetchQueue.Start) async -> Result<Fetched, TransferFailure> {
        guard let container = containers(waitingFor: start.key).first else { return .failure(.cancelled) }
        do {
            // The same URL may have been fetched between the page's look-up and this start.
            let since = queue.waiters(for: start.key).compactMap { live[$0.story]?.manifest.receivedAt }.max()
            if let object = try await storage.fresh(
                start.key, in: container, wantedSince: since ?? .now(), now: .now())
            {
                return .success(Fetched(source: .cache, places: [container: .success(object)]))
            }
            let partial = try await storage.makePartial(in: container)
            switch await transfers.download(TransferRequest(url: start.url, body: partial.descriptor)) {
            case .failure(let failure):
                await storage.discard(partial)
                return .failure(failure)
            case .success(let download):
                let description = ObjectDescription(
                    content: download.content, bytes: download.bytes, header: download.header)
                let places = await storage.publish(
                    partial, as: description, key: start.key,
                    freshness: Freshness(ResponseHeaders(download.response), now: .now()),
                    into: containers(waitingFor: start.key, besides: container))
                return .success(
                    Fetched(source: .network, places: places.mapValues { $0.mapError(PageError.init) }))
            }
        } catch {
            return .failure(TransferFailure(error.pageCode, error.message))
        }
    }

    private func succeeded(_ start: FetchQueue.Start, _ fetched: Fetched) async {
        var places = fetched.places
        // While the picture was stored, stories of other containers may have come to wait for it.
        while let late = containers(waitingFor: start.key).first(where: { places[$0] == nil }) {
            guard let object = places.values.lazy.compactMap({ try? $0.get() }).first else { break }
            places[late] = await shared(object, with: late)
        }
        let ended = queue.succeeded(start.key, now: .now)
        counts.completedTransfers += fetched.source == .network ? 1 : 0
        for waiter in ended.waiters {
            guard var story = live[waiter.story], story.generation == waiter.generation else { continue }
            switch places[story.container] {
            case .success(let object):
                let attempts = fetched.source == .network ? ended.attempts : 0
                let image = CachedImage(object, source: fetched.source)
                apply(story.pageCached(waiter.page, image, attempts: attempts), story)
            case .failure(let error):
                notStored(waiter, start, error, attempts: ended.attempts)
            case nil:
                let error = PageError(.io, "The picture could not be stored.")
                notStored(waiter, start, error, attempts: ended.attempts)
            }
        }
    }

    private func shared(_ object: StoredObject, with container: Container) async -> Result<StoredObject, PageError> {
        do throws(CacheFailure) {
            if let object = try await storage.share(object, with: container, now: .now()) { return .success(object) }
            return .failure(PageError(.io, "The picture was gone before it could be copied for this group."))
        } catch {
            return .failure(PageError(error))
        }
    }

    /// The picture came, but could not be put into the container of this story: it is fetched anew after a rest.
    private func notStored(_ waiter: FetchQueue.Waiter, _ start: FetchQueue.Start, _ cause: PageError, attempts: Int) {
        guard var story = live[waiter.story] else { return }
        let rest = options.queue.retry.rest(afterRound: 1, retryAfter: nil, chance: .random(in: 0..<1))
        let until = Instant.now.advanced(by: rest)
        queue.addResting(waiter, key: start.key, url: start.url, until: until)
        let error = PageError(cause.code, cause.message, retryAt: moment(of: until))
        log.warning("story \(waiter.story) page \(waiter.page): \(error.code.rawValue): \(error.message)")
        apply(story.pageFailed(waiter.page, error, attempts: attempts, roundIsOver: true), story)
    }

    private func failed(_ start: FetchQueue.Start, _ failure: TransferFailure) {
        let now = Instant.now
        let ended = queue.failed(
            start.key,
            FetchQueue.Failure(
                // Cancelled with somebody waiting: a story came while the transfer was being given up.
                mayPass: failure.mayPass || failure.code == .cancelled, isNetwork: failure.isNetwork,
                retryAfter: failure.retryAfter),
            now: now, chance: .random(in: 0..<1))
        if ended.retryAt == nil || ended.roundIsOver {
            counts.failedTransfers += 1
        } else {
            counts.retriedTransfers += 1
        }
        let error = PageError(
            failure.code, failure.message, httpStatus: failure.httpStatus, retryAt: ended.retryAt.map(moment))
        let next = error.retryAt.map { ", next try at \($0)" } ?? ""
        for waiter in ended.waiters {
            guard var story = live[waiter.story], story.generation == waiter.generation else { continue }
            log.warning(
                "story \(waiter.story) page \(story.manifest.pages[waiter.page].page.index) at \(start.url.origin): "
                    + "\(failure.code.rawValue): \(failure.message)\(next)")
            let urgency = story.pageFailed(
                waiter.page, error, attempts: ended.roundIsOver ? ended.attempts : 0, roundIsOver: ended.roundIsOver)
            apply(urgency, story)
        }
    }

    private func containers(waitingFor key: String, besides first: Container? = nil) -> [Container] {
        var containers = first.map { [$0] } ?? []
        for waiter in queue.waiters(for: key) {
            guard let story = live[waiter.story], !containers.contains(story.container) else { continue }
            containers.append(story.container)
        }
        return containers
    }

    private func moment(of instant: Instant) -> Timestamp {
        Timestamp.now().advanced(bySeconds: Instant.now.duration(to: instant) / .seconds(1))
    }
}
