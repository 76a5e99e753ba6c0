package import Addresses
package import Platform

/// One picture to be fetched.
package struct TransferRequest: Sendable {
    package let url: WebURL
    /// Where the stored bytes go: open for writing, empty, at its beginning. What it holds after a failure is of no use.
    package let body: Descriptor
    /// Counts along, where somebody wants to watch.
    package let progress: TransferProgress?

    package init(url: WebURL, body: Descriptor, progress: TransferProgress? = nil) {
        self.url = url
        self.body = body
        self.progress = progress
    }
}
