import Platform

/// How far one transfer has been told to be. Each of its news is brought by a task of its own, and these may overtake
/// each other: what comes late, or after the end, is left out. Shared by the transfer's tasks and the prefetcher.
final class ToldProgress: Sendable {
    /// Bytes; nil once the transfer has ended.
    private let highest = Locked<Int64?>(-1)

    /// Whether so many bytes are news.
    func reaches(_ bytes: Int64) -> Bool {
        highest.withLock { highest in
            guard let told = highest, bytes > told else { return false }
            highest = bytes
            return true
        }
    }

    /// The transfer has ended: another begins anew.
    func end() { highest.withLock { $0 = nil } }
}
