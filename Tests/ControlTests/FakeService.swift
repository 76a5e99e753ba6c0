import ControlAPI
import ControlServer
import Glibc
import JSON
import Platform

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
    var beforeAcceptance: @Sendable () async -> Void = {}
    /// What peers may do.
    var permitted: Set<Route.Access> = [.read, .change, .drop]
    var payloadLimit = 100_000
    /// What a reader of events gets.
    var makeStream: @Sendable () -> EventStream? = { EventStream() }

    /// The manifest of a story by another name.
    var manifestOf: @Sendable (_ id: String) -> [UInt8]? = { _ in nil }
    /// Where stories are said to be. No such place is there.
    var storiesDirectory = "/stories"
    /// What a story is answered with that was waited for until it was settled.
    var settledManifestOf: @Sendable (_ id: String) -> [UInt8] = { Array(#"{"id": "\#($0)"}"#.utf8) }

    func permits(_ access: Route.Access, to peer: Peer) -> Bool { permitted.contains(access) }

    func status() async -> StatusReport {
        await beforeStatus()
        return Self.report
    }

    func stories(_ query: StoryQuery, for peer: Peer) async throws(APIError) -> StoryPage {
        let matching = Self.stories.filter { story in
            (query.group ?? story.group ?? "") == (story.group ?? "") && (query.state ?? story.state) == story.state
        }
        let start = query.after.map { Int($0) } ?? 0
        guard let start else { throw .badRequest("after: not a cursor of this daemon") }
        let end = min(matching.count, start + query.limit)
        return StoryPage(
            stories: Array(matching[min(start, end)..<end]), next: end < matching.count ? String(end) : nil)
    }

    func manifest(id: String, group: String?, for peer: Peer) async throws(APIError) -> [UInt8] {
        if id == "twice", group == nil { throw .conflict("two groups have it") }
        if let manifest = manifestOf(id) { return manifest }
        guard id == "a" || id == "twice" else { throw .notFound("no story '\(id)'") }
        return Self.manifest
    }

    func provision(_ group: String) async throws(APIError) -> (StatusReport.Group, isNew: Bool) {
        guard group != "bad group" else { throw .badRequest("no group id") }
        let known = Self.report.groups.first { $0.id == group }
        let fresh = StatusReport.Group(
            id: group, container: "/groups/\(group)", fallback: false, stories: 0, objects: 0, bytes: 0)
        return (known ?? fresh, known == nil)
    }

    /// The stories are the words of the payload. All are settled at once, unless one is called `slow`.
    func accept(_ payload: [UInt8], group: String?, wait: Duration?) async throws(APIError) -> Acceptance {
        await beforeAcceptance()
        let words = String(decoding: payload, as: UTF8.self).split(separator: " ").map(String.init)
        guard !words.isEmpty else { throw .badRequest("no payload") }
        let stories = words.map {
            Acceptance.Story(id: $0, group: group, manifest: "\(storiesDirectory)/\($0)/manifest.json")
        }
        let isSettled = wait != nil && !words.contains("slow")
        return Acceptance(stories: stories, settled: isSettled ? words.map(settledManifestOf) : nil)
    }

    func delete(id: String, group: String?, for peer: Peer) async throws(APIError) {
        guard id == "a" else { throw .notFound("no story '\(id)'") }
    }

    func image(id: String, page: Int, group: String?, for peer: Peer) async throws(APIError) -> PageImage {
        guard id == "a", page == 0 else { throw .notFound("no such page") }
        let path = "/proc/self/exe"
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw .failed("no \(path)") }
        return PageImage(
            file: Descriptor(owning: raw), bytes: 10_000, mediaType: "image/png", contentID: "00ff")
    }

    func events(for peer: Peer) async throws(APIError) -> EventStream {
        guard let stream = makeStream() else { throw .tooManyRequests("enough") }
        return stream
    }

    func media(_ url: String, for peer: Peer) async throws(APIError) -> MediaReport {
        guard url.hasPrefix("http") else { throw .badRequest("url: no scheme") }
        return url.hasSuffix("/a.png") ? Self.media : MediaReport(url: url, state: .absent)
    }

    static let media = MediaReport(
        url: "https://example.com/a.png", state: .stale,
        object: MediaReport.Object(
            file: "objects/00/00ff.png", bytes: 10_000, mediaType: "image/png", width: 2, height: 3, frames: 1,
            contentID: "00ff"),
        groups: ["group.com.example.app", nil], etag: "\"1\"", lastModified: nil,
        obtainedAt: "2026-01-02T03:04:05.678Z", freshUntil: "2026-01-03T03:04:05.678Z",
        stories: [
            MediaReport.Holder(id: "a", group: "group.com.example.app"), MediaReport.Holder(id: "b", group: nil),
        ])

    func verify() async throws(APIError) -> VerificationReport {
        VerificationReport(checked: 12, corrupt: 2, repaired: 1)
    }

    /// As much goes as is asked for.
    func evict(_ eviction: Eviction) async throws(APIError) -> EvictionReport {
        switch eviction {
        case .toBytes(let bytes): EvictionReport(stories: 1, objects: 2, bytes: bytes)
        case .olderThanSeconds(let seconds): EvictionReport(stories: seconds, objects: 0, bytes: 0)
        }
    }

    func configuration() async -> JSONObject { ["inbox": "/inbox"] }

    func health() async -> Health { reportedHealth }

    func metrics() async -> [UInt8] { Array("storiesd_a 1\n".utf8) }
}
