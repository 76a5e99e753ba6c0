import Addresses
package import JSON
package import Platform

/// What the player reads of a story: its pages, which of them are on disk, and why others are not.
///
/// A plain value; whoever prefetches the story owns the current one and counts its revisions. The state is never
/// stored, so it cannot contradict the pages. A manifest has pages exactly where it has no `fallbackReason`, and is
/// settled where it has none.
package struct Manifest: Sendable {
    /// The version of the form that this code reads and writes.
    package static let version = 1

    package let id: StoryID
    /// Nil for a story without a group.
    package let group: GroupID?
    /// Whether a group was named that is not provisioned, so that the story is in a fallback container.
    package let groupFallback: Bool
    /// Grows by one each time the manifest is replaced; from 1.
    package var revision: Int
    package let category: String?
    /// Whether all pages have ended their first round, or the deadline has passed; it never turns false again.
    package var settled: Bool
    package let fallbackReason: FallbackReason?
    package let receivedAt: Timestamp
    package var updatedAt: Timestamp
    package let alert: Alert
    package var pages: [ManifestPage]
    package let skipped: [SkippedPage]
    /// The notification's dictionary as it came.
    package let userInfo: JSONObject

    /// The first manifest of a story: all pages pending; settled where there are none. A story that replaces one of
    /// the same name goes on with its `revision`.
    package init(
        _ story: Story, group: GroupID?, groupFallback: Bool, receivedAt: Timestamp, revision: Int = 1
    ) {
        id = story.id
        self.group = group
        self.groupFallback = groupFallback
        self.revision = revision
        category = story.category
        settled = story.pages.isEmpty
        fallbackReason = story.fallbackReason
        self.receivedAt = receivedAt
        updatedAt = receivedAt
        alert = story.alert
        pages = story.pages.map { ManifestPage($0) }
        skipped = story.skipped
        userInfo = story.userInfo
    }

    /// About how many bytes of memory the story takes while it is worked at. Each page's URL is in the dictionary, in the
    /// page, and with whoever fetches it.
    package var footprint: Int {
        pages.reduce(userInfo.footprint) { $0 + 1024 + 3 * $1.page.url.request.utf8.count }
    }

    package var key: StoryKey { StoryKey(group: group, id: id) }

    package var state: StoryState {
        StoryState(settled: settled, pages: pages.map(\.state), fallbackReason: fallbackReason)
    }

    /// Whether `latest.json` may name this story: there is something to show. An ordinary push is none of its concern,
    /// so a story that falls back must be of the category for stories.
    package var isPresentable: Bool {
        if fallbackReason != nil { return category == "PW_STORIES" }
        return settled || pages.first?.state.isCached == true
    }
}
