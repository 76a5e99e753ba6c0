/// How far a story is, in the words of the manifest.
package enum StoryState: String, CaseIterable, Sendable {
    /// Not settled yet.
    case prefetching
    /// Settled; every page is cached.
    case ready
    /// Settled; some pages are cached.
    case partial
    /// Settled; no page is cached.
    case failed
    /// There is no page to show.
    case fallback

    /// The state that follows from what a manifest says. A story that falls back has nothing to wait for.
    package init(settled: Bool, pages: [PageState], fallbackReason: FallbackReason?) {
        let cached = pages.count(where: \.isCached)
        if fallbackReason != nil {
            self = .fallback
        } else if !settled {
            self = .prefetching
        } else if cached == 0 {
            self = .failed
        } else {
            self = cached == pages.count ? .ready : .partial
        }
    }
}
