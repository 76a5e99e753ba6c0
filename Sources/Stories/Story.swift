package import JSON

/// What a notification holds for the player: pages, or the reason why its ordinary content is shown instead.
///
/// A plain value, made by `PayloadParser`. It has pages exactly where it has no `fallbackReason`.
package struct Story: Sendable {
    package let id: StoryID
    /// The notification's dictionary as it came.
    package let userInfo: JSONObject
    package let category: String?
    package let alert: Alert
    /// In the payload's order, which is that of their index.
    package let pages: [Page]
    package let skipped: [SkippedPage]
    package let fallbackReason: FallbackReason?

    /// Reads the story of one notification. No notification is without: at worst it falls back.
    init(id: StoryID, userInfo: JSONObject, limits: PayloadLimits) {
        let aps = userInfo["aps"]?.objectValue
        self.id = id
        self.userInfo = userInfo
        category = aps?["category"]?.stringValue
        alert = Alert(aps: aps)
        switch StoryBlock.find(in: userInfo) {
        case .found(let block): (pages, skipped, fallbackReason) = block.pages(limits: limits)
        case .nothing(let reason): (pages, skipped, fallbackReason) = ([], [], reason)
        }
    }
}
