package import Addresses
package import Platform

/// One picture to be fetched.
package struct TransferRequest: Sendable {
    package let url: WebURL
    /// Where the stored bytes go: open for writing, empty, at its beginning. What it holds after a failure is of no
    /// use.
    package let body: Descriptor
    /// Told once, on the loop's thread, where no connection stands `slowness` after the transfer began: its name is
    /// being looked up, or its host does not answer.
    package let whenSlow: @Sendable () -> Void

    /// How long a connection may take before it is called slow.
    package static let slowness = Duration.seconds(1)

    package init(url: WebURL, body: Descriptor, whenSlow: @escaping @Sendable () -> Void = {}) {
        self.url = url
        self.body = body
        self.whenSlow = whenSlow
    }
}
