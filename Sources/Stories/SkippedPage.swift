/// An element of `pages` that is no page, and why. It costs only itself.
package struct SkippedPage: Sendable {
    /// The closed list that players and operators match on.
    package enum Code: String, CaseIterable, Sendable {
        case notAnObject = "not_an_object"
        case noImage = "no_image"
        case badURL = "bad_url"
        case schemeDenied = "scheme_denied"
        case urlTooLong = "url_too_long"
        case tooManyPages = "too_many_pages"
    }

    /// The element's place in the payload; of pages beyond the limit that of the first.
    package let index: Int
    package let code: Code
    /// For people; nothing of a URL is in it but its scheme.
    package let message: String

    package init(index: Int, code: Code, message: String) {
        self.index = index
        self.code = code
        self.message = message
    }
}
