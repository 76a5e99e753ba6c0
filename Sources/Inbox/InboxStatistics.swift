/// What an inbox has done since its start, and has to do.
package struct InboxStatistics: Sendable, Equatable {
    /// Payloads not yet accepted or rejected: waiting files and claims. While a flood is worked off, as of the last
    /// look at the directory.
    package var pending: Int
    package var accepted: Int
    package var rejected: Int
    /// Sweeps through the inbox after the first.
    package var rescans: Int

    package init(pending: Int = 0, accepted: Int = 0, rejected: Int = 0, rescans: Int = 0) {
        self.pending = pending
        self.accepted = accepted
        self.rejected = rejected
        self.rescans = rescans
    }
}
