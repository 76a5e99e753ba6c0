/// A page in the manifest: what the payload says of it, and what has become of its picture.
package struct ManifestPage: Sendable {
    package let page: Page
    package var state: PageState
    /// Requests made for the picture so far; 0 where none was needed.
    package var attempts: Int

    /// A page that nothing is known of yet.
    package init(_ page: Page) {
        self.init(page, state: .pending(), attempts: 0)
    }

    package init(_ page: Page, state: PageState, attempts: Int) {
        self.page = page
        self.state = state
        self.attempts = attempts
    }
}
