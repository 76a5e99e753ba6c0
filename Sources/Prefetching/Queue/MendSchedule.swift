/// When the index is told again of the stories, where it could not take them all: at once, then after rests that double
/// from a minute to an hour. A plain value, owned by `Prefetcher`.
struct MendSchedule: Sendable {
    typealias Instant = SuspendingClock.Instant

    private static let rests = (first: Duration.seconds(5), longest: Duration.seconds(3600))

    private var rest = Self.rests.first
    private var due: Instant?

    func isDue(_ now: Instant) -> Bool {
        due.map { $0 <= now } != false
    }

    mutating func failed(_ now: Instant) {
        due = now.advanced(by: rest)
        rest = min(rest * 2, Self.rests.longest)
    }

    mutating func succeeded() {
        self = MendSchedule()
    }
}
