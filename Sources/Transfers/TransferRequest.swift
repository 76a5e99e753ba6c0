package import Addresses
package import Platform

/// One picture to be fetched.
package struct TransferRequest: Sendable {
    package let url: WebURL
    /// Where the stored bytes go: open for writing, empty, at its beginning. What it holds after a failure is of no
    /// use.
    package let body: Descriptor

    package init(url: WebURL, body: Descriptor) {
        self.url = url
        self.body = body
    }
}
