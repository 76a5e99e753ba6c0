import ControlAPI
import Testing

@testable import Daemon

struct StatusLineTests {
    private func line(
        prefetching: Int = 0, ready: Int = 0, active: Int = 0, bytes: Int = 0, problems: [StatusReport.Problem] = []
    ) -> String {
        StatusLine.of(
            StatusReport(
                version: "1", processID: 1, uptimeSeconds: 0, state: .running, problems: problems,
                inbox: .init(path: "/inbox", pending: 0, accepted: 0, rejected: 0, rescans: 0),
                stories: .init(prefetching: prefetching, ready: ready, partial: 0, failed: 0, fallback: 0),
                transfers: .init(
                    active: active, queued: 0, completed: 0, failed: 0, retried: 0, resumed: 0, bytes: 0),
                cache: .init(
                    objects: 0, bytes: bytes, maxBytes: 1, hits: 0, misses: 0, revalidated: 0, coalesced: 0,
                    deduplicated: 0, evicted: 0, corrupt: 0),
                groups: []))
    }

    @Test func `it counts what there is`() {
        #expect(line() == "0 stories, 0 transfers, 0 kB cached")
        #expect(
            line(prefetching: 1, ready: 11, active: 3, bytes: 45_000_000)
                == "12 stories (1 prefetching), 3 transfers, 45 MB cached")
        #expect(line(ready: 1, active: 1, bytes: 1) == "1 story, 1 transfer, 1 kB cached")
        #expect(line(bytes: 12_000_000_001).hasSuffix(", 13 GB cached"))
        #expect(StatusLine.starting(stories: 0) == "starting")
        #expect(StatusLine.starting(stories: 2) == "starting: 2 stories taken up so far")
    }

    @Test func `it says what is degraded`() {
        let problem = StatusReport.Problem(code: "inbox_missing", message: "/inbox is gone")
        #expect(line(problems: [problem]).hasSuffix("; degraded: inbox_missing: /inbox is gone"))
        #expect(
            line(problems: [problem, problem, problem]).hasSuffix(
                "; degraded: (and 2 more) inbox_missing: /inbox is gone"))
    }
}
