import ControlAPI
import ControlServer
import JSON

/// A daemon of four stories that does as it is told. `beforeStatus` runs whenever the status is asked for.
struct FakeService: ControlService {
    static let report = StatusReport(
        version: "1.2.3", processID: 4711, uptimeSeconds: 93_784, state: .degraded,
        problems: [StatusReport.Problem(code: "inbox_unreadable", message: "cannot read a.json")],
        inbox: StatusReport.Inbox(path: "/var/lib/storiesd/inbox", pending: 1, accepted: 20, rejected: 2, rescans: 3),
        stories: StatusReport.Stories(prefetching: 1, ready: 2, partial: 3, failed: 4, fallback: 5),
        transfers: StatusReport.Transfers(
            active: 1, queued: 2, completed: 30, failed: 4, retried: 5, resumed: 6, bytes: 7_654_321),
        cache: StatusReport.Cache(
            objects: 12, bytes: 3_456_789, maxBytes: 1_073_741_824, hits: 8, misses: 9, revalidated: 1, coalesced: 2,
            deduplicated: 3, evicted: 4, corrupt: 5),
        groups: [
            StatusReport.Group(
                id: "group.com.example.app", container: "/var/lib/storiesd/groups/group.com.example.app",
                fallback: false, stories: 3, objects: 12, bytes: 3_456_789),
            StatusReport.Group(
                id: nil, container: "/var/cache/storiesd/tmp/_", fallback: true, stories: 1, objects: 0, bytes: 0),
        ])

    static let stories = ["d", "c", "b", "a"].enumerated().map { index, id in
        StorySummary(
            id: id, group: index == 3 ? nil : "group.com.example.app", state: "ready", settled: true, pages: 2,
            cached: 2, revision: 3, title: index == 0 ? nil : "Story \(id)",
            receivedAt: "2026-01-02T03:04:0\(9 - index).678Z", updatedAt: "2026-01-02T03:04:10.000Z")
    }

    static let manifest = Array(#"{"version": 1,  "id": "a"}"#.utf8)

    var reportedHealth = Health.ok
    var beforeStatus: @Sendable () async -> Void = {}

    func status() async -> StatusReport {
        await beforeStatus()
        return Self.report
    }

    func stories(_ query: StoryQuery) async throws(APIError) -> StoryPage {
        let matching = Self.stories.filter { story in
            (query.group ?? story.group ?? "") == (story.group ?? "") && (query.state ?? story.state) == story.state
        }
        let start = query.after.map { Int($0) } ?? 0
        guard let start else { throw .badRequest("after: not a cursor of this daemon") }
        let end = min(matching.count, start + query.limit)
        return StoryPage(
            stories: Array(matching[min(start, end)..<end]), next: end < matching.count ? String(end) : nil)
    }

    func manifest(id: String, group: String?) async throws(APIError) -> [UInt8] {
        if id == "twice", group == nil { throw .conflict("two groups have it") }
        guard id == "a" || id == "twice" else { throw .notFound("no story '\(id)'") }
        return Self.manifest
    }

    func health() async -> Health { reportedHealth }
}
