import Platform

/// Has it noted on disk how far downloads under way have come, so that one that ends with the process goes on after the
/// next start. One is noted at a time, and of each only the last that is known by then: whoever waits for the storage's
/// thread waits for one of them at most, and a slow disk has fewer. May be called from any thread; owned by whoever
/// downloads.
package final class Checkpoints: Sendable {
    private struct State {
        var waiting: [(partial: Partial, notes: PartialNotes)] = []
        var isWriting = false
    }

    private let storage: CacheStorage
    private let state = Locked(State())

    package init(of storage: CacheStorage) {
        self.storage = storage
    }

    /// Has it noted, soon, that so much of the partial has been written. Returns at once. Nothing comes of it where the
    /// partial is given back meanwhile.
    package func note(_ partial: Partial, _ notes: PartialNotes) {
        let begins = state.withLock { state in
            if let place = state.waiting.firstIndex(where: { $0.partial.descriptor === partial.descriptor }) {
                state.waiting[place].notes = notes
            } else {
                state.waiting.append((partial, notes))
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { Task(priority: .low) { await write() } }
    }

    private func write() async {
        while let next = next() { await storage.checkpoint(next.partial, next.notes) }
    }

    private func next() -> (partial: Partial, notes: PartialNotes)? {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
    }
}
