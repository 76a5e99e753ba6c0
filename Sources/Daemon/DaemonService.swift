import ControlAPI
import ControlServer
import Glibc
import Inbox
import MediaCache
import Platform
import Prefetching
import Stories
import Transfers

/// Answers the socket's questions from the daemon's parts.
struct DaemonService: ControlService {
    private let daemon: StoriesDaemon

    init(_ daemon: StoriesDaemon) {
        self.daemon = daemon
    }

    func status() async -> StatusReport {
        let configuration = daemon.configuration.withLock { $0 }
        // The inbox first: no payload is told as accepted whose story is not among those told below.
        let inbox = daemon.inbox.statistics
        let prefetching = await daemon.prefetcher.statistics
        let cache = await daemon.storage.statistics()
        let containers = await daemon.storage.containers()
        let problems = await problems()
        func stories(_ state: StoryState) -> Int { prefetching.stories[state] ?? 0 }
        return StatusReport(
            version: ProductVersion.current, processID: Int(getpid()),
            uptimeSeconds: Int(daemon.startedAt.duration(to: .now) / .seconds(1)), state: state(problems),
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
                retried: prefetching.retriedTransfers, resumed: 0,
                bytes: Int(daemon.transfers.statistics.bytesReceived)),
            cache: StatusReport.Cache(
                objects: cache.objects, bytes: Int(cache.bytes), maxBytes: configuration.cache.maxBytes,
                hits: prefetching.hits, misses: prefetching.misses, revalidated: 0, coalesced: prefetching.coalesced,
                deduplicated: cache.deduplicated, evicted: cache.evicted, corrupt: cache.corrupt),
            groups: containers.map {
                StatusReport.Group(
                    id: $0.container.group?.description, container: $0.path, fallback: $0.container.kind == .fallback,
                    stories: prefetching.storiesByContainer[$0.container] ?? 0, objects: $0.objects,
                    bytes: Int($0.bytes))
            })
    }

    func stories(_ query: StoryQuery) async throws(APIError) -> StoryPage {
        var cursor: Prefetcher.Cursor?
        if let after = query.after {
            cursor = Prefetcher.Cursor(after)
            guard cursor != nil else { throw .badRequest("after is not a cursor that an earlier answer gave as next") }
        }
        let (records, next) = await daemon.prefetcher.stories(limit: query.limit, after: cursor) { record in
            (query.state.map { $0 == record.state.rawValue } ?? true)
                && (query.group.map { $0 == record.key.group?.description ?? "" } ?? true)
        }
        return StoryPage(stories: records.map(StorySummary.init), next: next?.description)
    }

    func manifest(id: String, group: String?) async throws(APIError) -> [UInt8] {
        let named = if let id = StoryID(id) { await daemon.prefetcher.stories(named: id) } else { [StoryRecord]() }
        let found = named.filter { record in group.map { $0 == record.key.group?.description ?? "" } ?? true }
        guard let record = found.first else { throw .notFound("there is no story \(id)") }
        guard found.count == 1 else {
            let groups = found.map { $0.key.group.map { "\"\($0)\"" } ?? "none (group=)" }.sorted()
            throw .conflict("several groups have a story \(id): say which, of \(groups.joined(separator: ", "))")
        }
        let bytes: [UInt8]?
        do throws(CacheFailure) {
            bytes = try await daemon.prefetcher.manifestBytes(of: record.key)
        } catch {
            throw .failed("the manifest of story \(id) cannot be read: \(error)")
        }
        guard let bytes else { throw .notFound("the manifest of story \(id) is gone from its container") }
        return bytes
    }

    func health() async -> Health {
        switch daemon.phase.withLock({ $0 }) {
        case .starting: .starting
        case .running: await problems().isEmpty ? .ok : .degraded
        case .stopping: .stopping
        }
    }

    private func state(_ problems: [StatusReport.Problem]) -> StatusReport.State {
        switch daemon.phase.withLock({ $0 }) {
        case .starting: .starting
        case .running: problems.isEmpty ? .running : .degraded
        case .stopping: .stopping
        }
    }

    private func problems() async -> [StatusReport.Problem] {
        await daemon.storage.problems().map { StatusReport.Problem(StatusProblem($0.code), $0.message) }
            + daemon.inbox.problems.map { StatusReport.Problem(StatusProblem($0.code), $0.message) }
            + daemon.intake.problems.map { StatusReport.Problem(.containerRefused, $0) }
    }
}

extension StorySummary {
    init(_ record: StoryRecord) {
        self.init(
            id: record.key.id.description, group: record.key.group?.description, state: record.state.rawValue,
            settled: record.settled, pages: record.pages, cached: record.cached, revision: record.revision,
            title: record.title, receivedAt: record.receivedAt.description, updatedAt: record.updatedAt.description)
    }
}
