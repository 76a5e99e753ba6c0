package import MediaCache
package import Stories

/// What has been prefetched since the start, and what is under way.
package struct PrefetchStatistics: Sendable, Equatable {
    package var stories: [StoryState: Int] = [:]
    package var storiesByContainer: [Container: Int] = [:]
    package var activeTransfers = 0
    package var queuedTransfers = 0
    package var completedTransfers = 0
    package var failedTransfers = 0
    /// Attempts after a failed one.
    package var retriedTransfers = 0
    /// Pages whose picture was in the cache and fresh.
    package var hits = 0
    /// Pages whose picture was not, so that it had to be asked for.
    package var misses = 0
    /// Pages that joined a transfer that was under way or waiting already.
    package var coalesced = 0
}
