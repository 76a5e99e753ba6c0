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
        /// The number of the first event that is told to it.
        let first: Int
    }

    private struct State {
        var readers: [Reader] = []
        var backlog = EventBacklog<DaemonEvent>(capacity: EventHub.maximumBacklog)
        var isDelivering = false
    }

    private let state = Locked(State())

    /// Whether anybody hears what is told.
    var isListening: Bool { state.withLock { !$0.readers.isEmpty } }

    /// Tells an event to all who may know of it.
    func tell(_ happening: DaemonEvent.Happening) {
        let starts = state.withLock { state in
            guard !state.readers.isEmpty else { return false }
            state.backlog.append(DaemonEvent(at: .now(), happening))
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
            state.readers.append(
                Reader(stream: stream, user: peer.user, sight: sight, first: state.backlog.next))
            return true
        }
        guard isFree else { throw .tooManyRequests("too many streams of events are open; end another first") }
        return stream
    }

    private func deliver() async {
        while let (batch, readers) = nextBatch() {
            let containers = Set(batch.events.compactMap(\.container))
            let told = batch.events.map { (event: $0, line: $0.event.line) }
            for reader in readers {
                let visible = await reader.sight(containers)
                let share = batch.share(since: reader.first)
                for (event, line) in told[share.start...] where event.isFor(visible) { reader.stream.add(line) }
                reader.stream.miss(share.missed)
            }
        }
    }

    /// What has been told since the last time; nil where that is nothing, and then this task is to end.
    private func nextBatch() -> (EventBacklog<DaemonEvent>.Batch, [Reader])? {
        state.withLock { state in
            state.readers.removeAll { $0.stream.isEnded }
            guard let batch = state.backlog.take() else {
                state.isDelivering = false
                return nil
            }
            return (batch, state.readers)
        }
    }
}
