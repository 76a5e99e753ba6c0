import Platform
import Stories

/// The order of stories by age, the newest being the greatest. Of those received in the same millisecond, such as the
/// notifications of one payload, the name decides: that is the same order after a restart.
struct StoryRank: Comparable, Sendable {
    let receivedAt: Timestamp
    let key: StoryKey

    static func < (left: StoryRank, right: StoryRank) -> Bool {
        if left.receivedAt != right.receivedAt { return left.receivedAt < right.receivedAt }
        if left.key.id != right.key.id { return left.key.id < right.key.id }
        return (left.key.group?.description ?? "") < (right.key.group?.description ?? "")
    }
}
