/// How stories are prefetched, as configured. A plain value.
package struct PrefetchOptions: Sendable, Equatable {
    package var queue: FetchQueue.Limits
    /// From acceptance to settled.
    package var storyDeadline: Duration
    /// Names of query parameters that are left out of the cache's key; a trailing `*` stands for any ending.
    package var ignoredQueryParameters: [String]
    /// About how many bytes of memory the stories that something may still happen to take up; more wait on disk.
    package var maximumLiveBytes: Int

    package init(
        queue: FetchQueue.Limits, storyDeadline: Duration, ignoredQueryParameters: [String],
        maximumLiveBytes: Int = 8 << 20
    ) {
        self.queue = queue
        self.storyDeadline = storyDeadline
        self.ignoredQueryParameters = ignoredQueryParameters
        self.maximumLiveBytes = maximumLiveBytes
    }
}
