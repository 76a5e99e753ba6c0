extension WebURL {
    /// Why a text is no URL that may be requested. Its words are fit for logs and answers: nothing of the text is in
    /// them but its scheme.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The text is no http URL; says what is wrong with it.
        case bad(String)
        /// A URL of a scheme that is not fetched, in lower case and cut at 32 characters.
        case schemeDenied(String)
        /// The text is longer than `limit` bytes of UTF-8.
        case tooLong(limit: Int)

        package var description: String {
            switch self {
            case .bad(let reason): "The URL cannot be used: \(reason)."
            case .schemeDenied(let scheme): "URLs of the scheme \"\(scheme)\" are not fetched."
            case .tooLong(let limit): "The URL is longer than \(limit) bytes."
            }
        }
    }
}
