import ControlAPI
import ControlServer
import Glibc
import Inbox
import JSON
import MediaCache
import Platform
import Prefetching
import Stories
import Transfers

/// Answers the socket's questions from the daemon's parts.
struct DaemonService: ControlService {
    let daemon: StoriesDaemon

    init(_ daemon: StoriesDaemon) {
        self.daemon = daemon
    }

    func status() async -> StatusReport { await snapshot().status }

    func metrics() async -> [UInt8] {
        DaemonMetrics(await snapshot(), startedAt: daemon.startedAtTime, usage: await ProcessUsage.now()).text
    }

    /// The one place where the parts are asked: what is told of one moment, whoever tells it, agrees.
    private func snapshot() async -> DaemonSnapshot {
        // The phase before all else: who reads that the daemon runs, reads of an inbox that has been looked through.
        let phase = daemon.phase.withLock { $0 }
        let configuration = daemon.configuration.withLock { $0 }
        // Then the inbox: no payload is told as accepted whose story is not among those told below.
        let inbox = daemon.inbox.statistics
        let prefetching = await daemon.prefetcher.statistics
        let cache = await daemon.storage.statistics()
        let containers = await daemon.storage.containers()
        let problems = await problems()
        func stories(_ state: StoryState) -> Int { prefetching.stories[state] ?? 0 }
        let status = StatusReport(
            version: ProductVersion.current, processID: Int(getpid()),
            uptimeSeconds: Int(daemon.startedAt.duration(to: .now) / .seconds(1)), state: state(phase, problems),
            problems: problems,
            inbox: StatusReport.Inbox(
                path: configuration.inbox, pending: inbox.pending, accepted: inbox.accepted, rejected: inbox.rejected,
                rescans: inbox.rescans),
            stories: StatusReport.Stories(
                prefetching: stories(.prefetching), ready: stories(.ready), partial: stories(.partial),
                failed: stories(.failed), fallback: stories(.fallback)),
            transfers: StatusReport.Transfers(
                active: prefetching.activeTransfers, queued: prefetching.queuedTransfers,
                completed: prefetching.completedTransfers, failed: prefetching.failedTransfers,
                retried: prefetching.retriedTransfers, resumed: prefetching.resumedTransfers,
                bytes: Int(daemon.transfers.statistics.bytesReceived)),
            cache: StatusReport.Cache(
                objects: cache.objects, bytes: Int(cache.bytes), maxBytes: configuration.cache.maxBytes,
                hits: prefetching.hits, misses: prefetching.misses, revalidated: prefetching.revalidated,
                coalesced: prefetching.coalesced,
                deduplicated: cache.deduplicated, evicted: cache.evicted, corrupt: cache.corrupt),
            groups: containers.map {
                StatusReport.Group(
                    id: $0.container.group?.description, container: $0.path, fallback: $0.container.kind == .fallback,
                    stories: prefetching.storiesByContainer[$0.container] ?? 0, objects: $0.objects,
                    bytes: Int($0.bytes))
            })
        return DaemonSnapshot(status: status, prefetching: prefetching)
    }

    func permits(_ access: Route.Access, to peer: Peer) -> Bool { permissions.permits(access, to: peer) }

    var payloadLimit: Int { daemon.configuration.withLock { $0.limits.payloadBytes } }

    func configuration() async -> JSONObject {
        daemon.configuration.withLock { $0 }.json.objectValue ?? JSONObject()
    }

    /// As configured now.
    var permissions: SocketPermissions {
        daemon.configuration.withLock { SocketPermissions(writers: $0.socketWriters, inbox: $0.inbox) }
    }

    func health() async -> Health {
        switch daemon.phase.withLock({ $0 }) {
        case .starting: .starting
        // As they were found last: a disk that hangs holds up no answer here.
        case .running: daemon.hasProblems.withLock { $0 } ? .degraded : .ok
        case .stopping: .stopping
        }
    }

    private func state(_ phase: StoriesDaemon.Phase, _ problems: [StatusReport.Problem]) -> StatusReport.State {
        switch phase {
        case .starting: .starting
        case .running: problems.isEmpty ? .running : .degraded
        case .stopping: .stopping
        }
    }

    @discardableResult
    func problems() async -> [StatusReport.Problem] {
        let problems = await found()
        daemon.hasProblems.withLock { $0 = !problems.isEmpty }
        return problems
    }

    private func found() async -> [StatusReport.Problem] {
        await daemon.storage.problems().map { StatusReport.Problem(StatusProblem($0.code), $0.message) }
            + daemon.inbox.problems.map { StatusReport.Problem(StatusProblem($0.code), $0.message) }
            + daemon.intake.problems.map { StatusReport.Problem(.containerRefused, $0) }
            + daemon.prefetcher.storyProblems.map { StatusReport.Problem(.storyUnreadable, $0) }
            + [await daemon.metricsFile.problem].compactMap { $0 }.map { StatusReport.Problem(.metricsUnwritable, $0) }
    }
}
