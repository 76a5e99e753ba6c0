import Platform

/// Now, by both clocks: files are dated by the wall clock, which may jump; waiting is measured by the other.
struct Moment: Sendable {
    let wall: Timestamp
    let steady: SuspendingClock.Instant

    static func now() -> Moment {
        Moment(wall: .now(), steady: SuspendingClock().now)
    }

    func advanced(by duration: Duration) -> Moment {
        Moment(
            wall: wall.advanced(bySeconds: duration / .seconds(1)), steady: steady.advanced(by: duration))
    }
}
