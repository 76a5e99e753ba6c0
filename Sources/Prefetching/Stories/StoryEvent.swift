package import MediaCache
package import Stories

/// Something that has happened to a story. What is told of its manifest is on disk by then.
package struct StoryEvent: Sendable {
    /// What it was.
    package enum News: Sendable {
        /// The first manifest of a story, new or in the place of another.
        case accepted(StoryRecord)
        /// The revision that settles it.
        case settled(StoryRecord)
        /// Any other.
        case updated(StoryRecord)
        /// So many bytes of a page's picture have come, of how many; nil while that is unknown.
        case progress(ManifestPage, bytes: Int64, total: Int64?)
        /// An attempt for a page has failed; another follows in the same round.
        case attemptFailed(ManifestPage)
        /// A page is cached, or a round of attempts for it has ended without its picture.
        case pageEnded(ManifestPage)
        /// It is gone; `evicted`: not since somebody asked for that.
        case deleted(evicted: Bool)
    }

    package let key: StoryKey
    package let container: Container
    package let news: News
}
