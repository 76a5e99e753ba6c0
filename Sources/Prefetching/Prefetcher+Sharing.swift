import Addresses
import MediaCache
import Platform
import Stories
import Transfers

// What one transfer, or what was there before, gives to each container that waits for it.
extension Prefetcher {
    /// Keeps room for a picture in each of `containers`; answers those that have it. The others are told why not.
    func reserve(
        _ object: StoredObject, for partial: Partial, in containers: [Container], _ key: String,
        _ outcome: inout Outcome
    ) async -> [Container] {
        var takers: [Container] = []
        for container in containers {
            do throws(CacheFailure) {
                try await makingRoom(in: container, before: newest(waitingFor: key, in: container)) {
                    () async throws(CacheFailure) in
                    try await storage.reserve(object, for: partial, in: container)
                }
                takers.append(container)
            } catch {
                outcome.refusals[container] = error
            }
        }
        return takers
    }

    /// While the picture was stored, stories of other containers may have come to wait for it.
    func shareWithLate(_ key: String, _ outcome: inout Outcome) async {
        guard let object = outcome.arrivals.values.first(where: { $0.source == .network })?.held.object else { return }
        await share(object, .network, key, &outcome)
    }

    /// Gives the object to each container that still waits. Answers how many have got it; where it is gone, the others
    /// have not.
    @discardableResult
    func share(
        _ object: StoredObject, _ source: PageSource, _ key: String, _ outcome: inout Outcome
    ) async -> Int {
        var count = 0
        while !isStopping, let container = unserved(key, outcome).first {
            do throws(CacheFailure) {
                let held = try await makingRoom(in: container, before: newest(waitingFor: key, in: container)) {
                    () async throws(CacheFailure) in
                    try await storage.share(object, with: container, now: .now())
                }
                guard let held else { return count }
                outcome.arrivals[container] = (held, source)
                count += 1
            } catch {
                outcome.refusals[container] = error
            }
        }
        return count
    }

    /// Where the origin cannot be reached, or the last attempt of a round has failed in a way that may pass, what the URL
    /// gave before serves.
    func serveStaleWhereDown(_ start: FetchQueue.Start, _ outcome: inout Outcome) async {
        guard let stale = outcome.stale, let failure = outcome.failure, failure.mayPass,
            failure.isUnreachable || queue.isLastAttempt(start.key)
        else { return }
        guard await share(stale.object, .stale, start.key, &outcome) > 0 else { return }
        counts.failedTransfers += 1
        log.warning(
            "\(start.url.origin) cannot be asked (\(failure.code.rawValue): \(failure.message)): an older copy serves",
            .code(failure.code.rawValue))
        if unserved(start.key, outcome).isEmpty { outcome.failure = nil }
    }

    /// The containers that wait for the picture and have neither got it nor refused it.
    func unserved(_ key: String, _ outcome: Outcome) -> [Container] {
        containers(waitingFor: key).filter { outcome.arrivals[$0] == nil && outcome.refusals[$0] == nil }
    }
}
