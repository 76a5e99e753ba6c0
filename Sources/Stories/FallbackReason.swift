/// Why a notification shows its ordinary content and no story, in the words of the manifest.
package enum FallbackReason: String, CaseIterable, Sendable {
    /// There is no block anywhere.
    case missing
    /// A block, or a container that should hold it, is of the wrong form.
    case malformed
    /// The block has no pages.
    case empty
    /// The block has pages, and each of them was skipped.
    case noUsablePages = "no_usable_pages"
}
