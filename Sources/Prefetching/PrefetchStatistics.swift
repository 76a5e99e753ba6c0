package import MediaCache
package import Metrics
package import Stories

/// What has been prefetched since the start, and what is under way. All that is no state of now only grows: a story that
/// goes takes nothing of it away.
package struct PrefetchStatistics: Sendable, Equatable {
    package var stories: [StoryState: Int] = [:]
    package var storiesByContainer: [Container: Int] = [:]
    /// Stories accepted; one that came again, unchanged, is none.
    package var acceptedStories = 0
    package var activeTransfers = 0
    package var queuedTransfers = 0
    package var completedTransfers = 0
    package var failedTransfers = 0
    /// Attempts after a failed one.
    package var retriedTransfers = 0
    /// Downloads that went on from what an earlier one had brought.
    package var resumedTransfers = 0
    /// Pages whose picture was in the cache and fresh.
    package var hits = 0
    /// Pages whose picture was not, so that it had to be asked for.
    package var misses = 0
    /// Transfers that found that the picture which was there still holds.
    package var revalidated = 0
    /// Pages that joined a transfer that was under way or waiting already.
    package var coalesced = 0
    /// Pages that came to be cached, by where from; one whose picture got lost and came again counts again.
    package var cachedPages: [PageSource: Int] = [:]
    /// Rounds of pages that ended without a picture, by why.
    package var failedPages: [PageError.Code: Int] = [:]
    /// From the beginning of a story's acceptance until a manifest with its first page is durable.
    package var firstPage = Histogram()
    /// From the beginning of a story's acceptance until its manifest, settled, is durable.
    package var settled = Histogram()
    /// Of the transfers that brought a picture: from the start of the look-up to the last byte.
    package var transfers = Histogram()
}
