import ControlAPI
import ControlServer
import MediaCache
import Platform
import Prefetching

// What an operator has done to the cache.
extension DaemonService {
    func verify() async throws(APIError) -> VerificationReport {
        try await requireCompleteIndex()
        guard let found = await daemon.prefetcher.verify() else {
            throw .conflict("the objects are being verified already; ask again when that has ended")
        }
        return VerificationReport(checked: found.checked, corrupt: found.corrupt, repaired: found.repaired)
    }

    func evict(_ eviction: Eviction) async throws(APIError) -> EvictionReport {
        try await requireCompleteIndex()
        let prefetcher = daemon.prefetcher
        let removal =
            switch eviction {
            case .toBytes(let bytes): await prefetcher.evict(toBytes: Int64(bytes))
            case .olderThanSeconds(let seconds): await prefetcher.evict(olderThan: .seconds(seconds))
            }
        return EvictionReport(stories: removal.stories, objects: removal.objects, bytes: Int(removal.bytes))
    }

    /// Until recovery is through, and after a loss, it is not known which objects there are and who holds them.
    private func requireCompleteIndex() async throws(APIError) {
        guard daemon.phase.withLock({ $0 == .running }), await !daemon.storage.needsRecovery else {
            throw .unavailable("it is not known yet what is in the cache; try again in a moment")
        }
    }
}
