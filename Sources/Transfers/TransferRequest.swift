package import Addresses
package import Platform

/// One picture to be fetched.
package struct TransferRequest: Sendable {
    package let url: WebURL
    /// Where the stored bytes go: open for writing, empty, at its beginning; with a resumption, exactly as long as its
    /// prefix, at its end. What it holds after a failure is of no use but for what the failure says of `remains`.
    package let body: Descriptor
    /// Of the picture that is there already; nil where there is none.
    package let validators: Validators?
    /// What is there of an interrupted transfer of the same URL. The validators are then not asked with.
    package let resumption: Resumption?
    /// Told on the loop's thread, with true where no connection stands `patience` after the transfer began, or went on to
    /// another host: its name is being looked up, or its host does not answer. With false when one stands after all.
    package let whenLate: @Sendable (Bool) -> Void
    /// Told on the loop's thread how many bytes of the body have come, of how many (nil while that is unknown): when that
    /// has changed, and not more often than each `progressInterval`.
    package let whenProgressed: @Sendable (_ bytes: Int64, _ total: Int64?) -> Void
    /// Told on the loop's thread what could be gone on with if all ended now: each time that another `keepInterval` of
    /// bytes is written, where the answer allows it at all.
    package let whenKeepable: @Sendable (Remains) -> Void

    /// In bytes. What is read twice after a crash is less than that, beside what was on its way to the disk.
    package static let keepInterval: Int64 = 1_048_576
    /// Four times a second: what people watch.
    package static let progressInterval = Duration.milliseconds(250)
    /// How long a connection may take before it is called late.
    package static let patience = Duration.seconds(1)

    package init(
        url: WebURL, body: Descriptor, validators: Validators? = nil, resumption: Resumption? = nil,
        whenLate: @escaping @Sendable (Bool) -> Void = { _ in },
        whenProgressed: @escaping @Sendable (_ bytes: Int64, _ total: Int64?) -> Void = { _, _ in },
        whenKeepable: @escaping @Sendable (Remains) -> Void = { _ in }
    ) {
        self.url = url
        self.body = body
        self.validators = validators
        self.resumption = resumption
        self.whenLate = whenLate
        self.whenProgressed = whenProgressed
        self.whenKeepable = whenKeepable
    }
}
