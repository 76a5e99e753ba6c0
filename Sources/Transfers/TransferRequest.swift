package import Addresses
package import Platform

/// One picture to be fetched.
package struct TransferRequest: Sendable {
    package let url: WebURL
    /// Where the stored bytes go: open for writing, empty, at its beginning. What it holds after a failure is of no
    /// use.
    package let body: Descriptor
    /// Of the picture that is there already; nil where there is none.
    package let validators: Validators?
    /// Told on the loop's thread, with true where no connection stands `patience` after the transfer began, or went on to
    /// another host: its name is being looked up, or its host does not answer. With false when one stands after all.
    package let whenLate: @Sendable (Bool) -> Void
    /// Told on the loop's thread how many bytes of the body have come, of how many (nil while that is unknown): when that
    /// has changed, and not more often than each `progressInterval`.
    package let whenProgressed: @Sendable (_ bytes: Int64, _ total: Int64?) -> Void

    /// Four times a second: what people watch.
    package static let progressInterval = Duration.milliseconds(250)
    /// How long a connection may take before it is called late.
    package static let patience = Duration.seconds(1)

    package init(
        url: WebURL, body: Descriptor, validators: Validators? = nil,
        whenLate: @escaping @Sendable (Bool) -> Void = { _ in },
        whenProgressed: @escaping @Sendable (_ bytes: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) {
        self.url = url
        self.body = body
        self.validators = validators
        self.whenLate = whenLate
        self.whenProgressed = whenProgressed
    }
}
