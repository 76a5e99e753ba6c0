/// What others have done to the daemon's own files while it runs, to be told for a while after it was seen. A plain
/// value, owned by `CacheStorage`.
struct Interference {
    typealias Instant = SuspendingClock.Instant

    /// How long what has been mended is told; long enough to be seen by whoever asks every few seconds.
    static let life = Duration.seconds(15)
    /// So many things are told, at most.
    static let most = 20

    private var notes: [String: Instant] = [:]

    /// Notes it, or notes that it is still so.
    mutating func note(_ message: String, at now: Instant) {
        notes = notes.filter { now < $0.value }
        // The first ones stand for the rest.
        if notes[message] != nil || notes.count < Self.most { notes[message] = now.advanced(by: Self.life) }
    }

    /// What is to be told, sorted.
    func told(at now: Instant) -> [String] {
        notes.filter { now < $0.value }.keys.sorted()
    }
}
