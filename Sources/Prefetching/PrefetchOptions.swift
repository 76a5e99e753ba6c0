/// How stories are prefetched, as configured. A plain value.
package struct PrefetchOptions: Sendable, Equatable {
    package var queue: FetchQueue.Limits
    /// From acceptance to settled.
    package var storyDeadline: Duration
    /// Names of query parameters that are left out of the cache's key; a trailing `*` stands for any ending.
    package var ignoredQueryParameters: [String]
    /// About how many bytes of memory the stories that something may still happen to take up; more wait on disk.
    package var maximumLiveBytes: Int
    /// How long after it was received a story goes; zero: never for its age.
    package var storyMaxAge: Duration
    /// Stories of one container; the oldest beyond go.
    package var maxStories: Int

    package init(
        queue: FetchQueue.Limits, storyDeadline: Duration, ignoredQueryParameters: [String],
        maximumLiveBytes: Int = 8 << 20, storyMaxAge: Duration = .zero, maxStories: Int = .max
    ) {
        self.queue = queue
        self.storyDeadline = storyDeadline
        self.ignoredQueryParameters = ignoredQueryParameters
        self.maximumLiveBytes = maximumLiveBytes
        self.storyMaxAge = storyMaxAge
        self.maxStories = maxStories
    }
}
