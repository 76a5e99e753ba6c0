/// The one place that every call which changes the disk goes through, so that a test program can count these calls, end
/// the process before any of them, or let any of them fail. In the daemon nobody observes: that costs one load of a nil.
///
/// Not passed are the log, sockets (the name of one is nothing that must last), and what SQLite writes by itself.
package enum DiskSteps {
    /// Stands in for the call: may make it, or set `errno` and give -1 in its stead. Called on the thread of the call.
    package typealias Observer = @Sendable (_ step: DiskStep, _ call: () -> Int) -> Int

    // SAFETY: written once, by `observe`, before there is any other thread; only read after that.
    nonisolated(unsafe) private static var observer: Observer?

    /// Has every step pass `observer` from now on. For test programs, first of all in `main`.
    package static func observe(_ observer: @escaping Observer) {
        self.observer = observer
    }

    package static var areObserved: Bool { observer != nil }

    /// Makes `call`, which is `step`. Gives what that gives: -1, and `errno`, where it failed.
    package static func take<Result: SignedInteger>(_ step: @autoclosure () -> DiskStep, _ call: () -> Result) -> Result
    {
        guard let observer else { return call() }
        return Result(observer(step()) { Int(call()) })
    }
}
