package import Stories

/// How an inbox is kept. Values are in range; whoever parses the configuration sees to that.
package struct InboxOptions: Sendable, Equatable {
    /// The directory; absolute. Another one needs another `PayloadInbox`.
    package var path: String
    /// The group of payloads dropped in the inbox itself; nil: none.
    package var appGroup: GroupID?
    /// Between rescans, which find what no event told of.
    package var rescanInterval: Duration
    /// The largest payload taken, in bytes.
    package var payloadBytes: Int
    /// Whether accepted payloads are kept in `.processed`.
    package var keepProcessed: Bool
    /// How many claims may be out and unanswered: with `payloadBytes` the bound on memory.
    package var maximumClaims: Int

    package init(
        path: String, appGroup: GroupID? = nil, rescanInterval: Duration = .seconds(60), payloadBytes: Int = 262_144,
        keepProcessed: Bool = false, maximumClaims: Int = 64
    ) {
        self.path = path
        self.appGroup = appGroup
        self.rescanInterval = rescanInterval
        self.payloadBytes = payloadBytes
        self.keepProcessed = keepProcessed
        self.maximumClaims = maximumClaims
    }
}
