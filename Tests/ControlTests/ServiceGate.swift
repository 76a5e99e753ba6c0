import Platform

/// Holds tasks up until it is opened.
final class ServiceGate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let opening = AsyncStream<Void>.makeStream()

    /// Waits until the gate is open, or the task is cancelled.
    func pass() async {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
    }

    /// Waits until someone stands at the gate.
    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    func open() { opening.continuation.finish() }
}
