package import Hashing
package import MediaCache
package import Platform
package import Stories

/// What is remembered of every story, so that lists, status and `latest.json` need not read manifests: a summary of the
/// last revision that is on disk.
package struct StoryRecord: Sendable, Equatable {
    package let key: StoryKey
    package let container: Container
    /// The name of the notification's content.
    package let content: ContentID
    package let revision: Int
    package let state: StoryState
    package let settled: Bool
    package let pages: Int
    package let cached: Int
    /// The alert's title.
    package let title: String?
    package let receivedAt: Timestamp
    package let updatedAt: Timestamp
    /// `latest.json` may name it.
    let isPresentable: Bool

    init(_ manifest: Manifest, container: Container, content: ContentID) {
        key = manifest.key
        self.container = container
        self.content = content
        revision = manifest.revision
        state = manifest.state
        settled = manifest.settled
        pages = manifest.pages.count
        cached = manifest.pages.count { $0.state.isCached }
        title = manifest.alert.title
        receivedAt = manifest.receivedAt
        updatedAt = manifest.updatedAt
        isPresentable = manifest.isPresentable
    }

    /// Its place among all stories, which no restart changes.
    var rank: StoryRank { StoryRank(receivedAt: receivedAt, key: key) }
}
