/// Waits until `condition` holds, looking again every few milliseconds; false where it does not within the time. For
/// what a test cannot be told of, such as the log of another process.
package func eventually(
    within time: Duration = .seconds(10), _ condition: @Sendable () async throws -> Bool
) async rethrows -> Bool {
    let end = SuspendingClock.now + time
    while true {
        if try await condition() { return true }
        if SuspendingClock.now >= end { return false }
        // A cancelled test ends with the next look.
        try? await Task.sleep(for: .milliseconds(5))
    }
}
