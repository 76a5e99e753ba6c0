/// Where a cached picture came from, in the words of the manifest.
package enum PageSource: String, CaseIterable, Sendable {
    case network
    /// No request was made.
    case cache
    /// The origin said that the copy still holds (304).
    case revalidated
    /// The origin is down; an older copy serves.
    case stale
}
