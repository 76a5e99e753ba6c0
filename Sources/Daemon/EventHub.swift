import ControlAPI
import ControlServer
import Inbox
import MediaCache
import Platform
import Prefetching

/// Hands what happens in the daemon's parts to those who listen over the socket, each event in its place. The parts tell
/// from their own threads and never wait; one task at a time finds out who may know, and writes the lines.
final class EventHub: Sendable {
    /// So many streams are open at once, of one user and of all: each may hold as many bytes as a stream may.
    private static let maximumReadersPerUser = 16
    private static let maximumReaders = 64
    /// Events that wait for that task; beyond, they are left out for everybody.
    private static let maximumBacklog = 4096

    /// Of these containers, those whose stories a reader may see; nil: everything.
    typealias Sight = @Sendable (Set<Container>) async -> Set<Container>?

    private struct Reader {
        let stream: EventStream
        let user: UInt32
        let sight: Sight
    }

    private struct State {
        var readers: [Reader] = []
        var backlog: [DaemonEvent] = []
        var missed = 0
        var isDelivering = false
    }

    private let state = Locked(State())

    /// Whether anybody hears what is told.
    var isListening: Bool { state.withLock { !$0.readers.isEmpty } }

    /// Tells an event to all who may know of it.
    func tell(_ happening: DaemonEvent.Happening) {
        let starts = state.withLock { state in
            guard !state.readers.isEmpty else { return false }
            if state.backlog.count < Self.maximumBacklog {
                state.backlog.append(DaemonEvent(at: .now(), happening))
            } else {
                state.missed += 1
            }
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if starts { Task(priority: .medium) { await deliver() } }
    }

    /// A stream of what happens from here on, for a peer who may see that much.
    func subscribe(_ peer: Peer, sight: @escaping Sight) throws(APIError) -> EventStream {
        let stream = EventStream()
        let isFree = state.withLock { state in
            state.readers.removeAll { $0.stream.isEnded }
            guard state.readers.count < Self.maximumReaders,
                state.readers.count(where: { $0.user == peer.user }) < Self.maximumReadersPerUser
            else { return false }
            state.readers.append(Reader(stream: stream, user: peer.user, sight: sight))
            return true
        }
        guard isFree else { throw .tooManyRequests("too many streams of events are open; end another first") }
        return stream
    }

    private func deliver() async {
        while let (events, missed, readers) = nextBatch() {
            let containers = Set(events.compactMap(\.container))
            let lines = events.map(\.event.line)
            for reader in readers {
                let visible = await reader.sight(containers)
                for (event, line) in zip(events, lines) where event.isFor(visible) { reader.stream.add(line) }
                reader.stream.miss(missed)
            }
        }
    }

    /// What has been told since the last time; nil where that is nothing, and then this task is to end.
    private func nextBatch() -> (events: [DaemonEvent], missed: Int, readers: [Reader])? {
        state.withLock { state in
            state.readers.removeAll { $0.stream.isEnded }
            guard !state.backlog.isEmpty || state.missed > 0 else {
                state.isDelivering = false
                return nil
            }
            defer {
                state.backlog = []
                state.missed = 0
            }
            return (state.backlog, state.missed, state.readers)
        }
    }
}
