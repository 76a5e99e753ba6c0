/// Whether a page's picture is there. The manifest says the same by `state`, the fields of the file and `error`.
package enum PageState: Sendable, Equatable {
    /// Awaited; `after` is what the last attempt failed with, where there was one.
    case pending(after: PageError? = nil)
    /// The file is there, whole, and stays while a manifest says so.
    case cached(CachedImage)
    /// Its attempts have failed; a later round may come, and says when in the error.
    case failed(PageError)

    /// The word in the manifest.
    package var name: String {
        switch self {
        case .pending: "pending"
        case .cached: "cached"
        case .failed: "failed"
        }
    }

    package var image: CachedImage? {
        if case .cached(let image) = self { image } else { nil }
    }

    package var isCached: Bool { image != nil }

    /// Whether the picture may still come.
    package var isWanted: Bool {
        switch self {
        case .pending: true
        case .cached: false
        case .failed(let error): error.retryAt != nil
        }
    }

    package var error: PageError? {
        switch self {
        case .pending(let error): error
        case .cached: nil
        case .failed(let error): error
        }
    }
}
