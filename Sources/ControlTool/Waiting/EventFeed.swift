import ControlAPI
import JSON
import Platform

/// The daemon's events, as they come, read by a thread of its own; taken from there by one caller. They end when the
/// daemon's answer does, or with the process; whoever needs to know what is so asks for it.
final class EventFeed: Sendable {
    private struct State {
        var events: [JSONObject] = []
        var isStopped = false
        var hasEnded = false
    }

    /// More than are ever drawn; beyond that the oldest are lost.
    private static let capacity = 10_000

    private let state = Locked(State())

    /// Begins to read. Throws where there is no thread to be had.
    init(socketPath: String) throws(SystemError) {
        let state = state
        try Thread(name: "events") {
            // Without events there is still what can be asked for; the caller hears of a daemon that is not there.
            try? ControlClient(socketPath: socketPath)?.stream(.events) { line in
                // A line that cannot be read is as one that has not come.
                let event = (try? JSONParser.parse(line))?.objectValue
                return state.withLock { state in
                    if let event { state.events.append(event) }
                    if state.events.count > Self.capacity { state.events.removeFirst(Self.capacity / 2) }
                    return !state.isStopped
                }
            }
            state.withLock { $0.hasEnded = true }
        }.detach()
    }

    deinit {
        state.withLock { $0.isStopped = true }
    }

    /// Whether no more will come.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Those that have come since the last time, oldest first.
    func take() -> [JSONObject] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }
}
