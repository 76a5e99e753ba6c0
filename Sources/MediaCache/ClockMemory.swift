package import Platform

/// What a process leaves of the wall clock to the next one, so that a clock that jumped while nobody looked is doubted
/// like any other. A plain value.
package struct ClockMemory: Sendable, Equatable, LosslessStringConvertible {
    /// The last time that was believed.
    package let believed: Timestamp
    /// What the clock showed when it was first seen to be elsewhere; nil where it was not.
    package let doubtedSince: Timestamp?

    package init(believed: Timestamp, doubtedSince: Timestamp?) {
        self.believed = believed
        self.doubtedSince = doubtedSince
    }

    /// Whether another one is worth being kept in its place.
    package func isOutdated(by newer: ClockMemory) -> Bool {
        doubtedSince != newer.doubtedSince || abs(newer.believed.milliseconds - believed.milliseconds) >= 60_000
    }

    /// Reads what `description` wrote; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let believed = Timestamp(parts[0]) else { return nil }
        self.init(believed: believed, doubtedSince: Timestamp(parts[1]))
    }

    /// The two moments; of the same length for as long as years have four digits.
    package var description: String {
        "\(believed) \(doubtedSince?.description ?? String(repeating: "-", count: believed.description.utf8.count))"
    }
}
