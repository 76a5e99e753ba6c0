/// What a payload may cost, as configured. The defaults are those of the configuration.
package struct PayloadLimits: Sendable, Equatable {
    /// Bytes of a payload.
    package var payloadBytes: Int
    /// Elements of `pages` that are looked at.
    package var pages: Int
    /// Bytes of an image's URL.
    package var urlBytes: Int
    /// Whether pictures may come over http; otherwise https alone.
    package var allowHTTP: Bool

    package init(payloadBytes: Int = 262_144, pages: Int = 100, urlBytes: Int = 8192, allowHTTP: Bool = true) {
        self.payloadBytes = payloadBytes
        self.pages = pages
        self.urlBytes = urlBytes
        self.allowHTTP = allowHTTP
    }
}
