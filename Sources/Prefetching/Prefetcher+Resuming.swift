import ImageInspection
import MediaCache
import Platform
import Stories
import Transfers

// A download that broke off goes on from what it has brought, in the next attempt as after a restart: its partial is kept
// by storage for as long as a page waits for its URL, and the next fetch of that takes it up. Which pages wait is known
// from the queue; of a parked story it is remembered that it did.

extension Prefetcher {
    /// Bytes: a smaller part serves the attempts of one round. To ask for it again costs less than to look after it.
    private static let leastKept = TransferRequest.keepInterval

    /// What is kept of an earlier download; nil where there is nothing that can be gone on with.
    func resume(_ key: String) async -> (partial: Partial, resumption: Resumption)? {
        guard leftovers.contains(key) else { return nil }
        guard let resumed = await storage.resume(key, showing: ImageInspector(), take: { $0.consume($1) }) else {
            leftovers.forget(key)
            return nil
        }
        let notes = resumed.notes
        let prefix = BodyPrefix(bytes: notes.bytes, hasher: resumed.seen(), inspector: resumed.reader)
        let resumption = Resumption(
            prefix: prefix, validator: notes.validator, source: notes.source, total: notes.total)
        return (resumed.partial, resumption)
    }

    /// Keeps what a failed transfer has brought, where it is worth it, and else removes it. Answers why its container can
    /// take nothing, where that is what failed.
    func lookAfter(
        _ partial: Partial, of start: FetchQueue.Start, _ failure: TransferFailure
    ) async -> CacheFailure? {
        let isOfDisk = failure.code == .noSpace || failure.code == .io
        guard !isOfDisk, let remains = failure.remains, isWorthKeeping(remains, of: start, failure) else {
            return await storage.discard(partial, triesRoom: isOfDisk)
        }
        let change = await storage.keep(partial, PartialNotes(key: start.key, remains))
        leftovers.keep(start.key, for: queue.waiters(for: start.key).map(\.story), change)
        return nil
    }

    private func isWorthKeeping(_ remains: Remains, of start: FetchQueue.Start, _ failure: TransferFailure) -> Bool {
        if isStopping { return true }
        guard !queue.waiters(for: start.key).isEmpty, failure.mayPass || failure.code == .cancelled else {
            return false
        }
        return remains.bytes >= Self.leastKept || !queue.isLastAttempt(start.key)
    }

    /// Has what is kept for pages that wait no more removed, in the background. To be called when some may have ceased to.
    func releaseLeftovers() {
        guard !isStopping, !leftovers.isEmpty else { return }
        let unwanted = leftovers.release { key, stories in
            !queue.waiters(for: key).isEmpty || stories.contains { parked[$0] != nil }
        }
        guard !unwanted.isEmpty else { return }
        let former = cleaning
        cleaning = Task(priority: .low) {
            await former?.value
            await storage.dropKept(unwanted)
        }
    }
}
