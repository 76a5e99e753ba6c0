package import Stories

extension Prefetcher {
    /// Returns once the story is settled, or is no more; at once where the calling task is cancelled or all ends.
    package func untilSettled(_ key: StoryKey) async {
        guard !isStopping, table[key]?.settled == false else { return }
        let number = settlementWaiters.nextNumber()
        await withTaskCancellationHandler {
            await withCheckedContinuation { settlementWaiters.add($0, number, for: key) }
        } onCancel: {
            // It finds the continuation there: that is added before this can have its turn.
            Task(priority: .medium) { await stopWaiting(number, key) }
        }
    }

    private func stopWaiting(_ number: Int, _ key: StoryKey) {
        settlementWaiters.resume(number, for: key)
    }
}
