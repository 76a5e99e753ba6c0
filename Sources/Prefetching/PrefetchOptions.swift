/// How stories are prefetched, as configured. A plain value.
package struct PrefetchOptions: Sendable, Equatable {
    package var queue: FetchQueue.Limits
    /// From acceptance to settled.
    package var storyDeadline: Duration
    /// Names of query parameters that are left out of the cache's key; a trailing `*` stands for any ending.
    package var ignoredQueryParameters: [String]
    /// Stories that may be taken in before they are settled; more wait for room.
    package var maximumUnsettled: Int

    package init(
        queue: FetchQueue.Limits, storyDeadline: Duration, ignoredQueryParameters: [String],
        maximumUnsettled: Int = 2_000
    ) {
        self.queue = queue
        self.storyDeadline = storyDeadline
        self.ignoredQueryParameters = ignoredQueryParameters
        self.maximumUnsettled = maximumUnsettled
    }
}
