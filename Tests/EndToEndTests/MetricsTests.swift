import ControlAPI
import Foundation
import Glibc
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// What a collector is told, over the socket and by a file.
struct MetricsTests {
    private let place: DaemonPlace

    init() throws {
        place = try DaemonPlace()
    }

    private func metrics(_ daemon: DaemonProcess) throws -> MetricValues {
        try MetricValues(daemon.answer(.metrics).body)
    }

    /// What status tells must be told again, to the last one.
    private func expectAgreement(_ metrics: MetricValues, _ status: StatusReport) {
        let told: [String: Int] = [
            "build_info{version=\"\(status.version)\"}": 1,
            "state{state=\"\(status.state.rawValue)\"}": 1,
            "inbox_pending": status.inbox.pending,
            "inbox_accepted_total": status.inbox.accepted,
            "inbox_rejected_total": status.inbox.rejected,
            "inbox_rescans_total": status.inbox.rescans,
            "stories{state=\"prefetching\"}": status.stories.prefetching,
            "stories{state=\"ready\"}": status.stories.ready,
            "stories{state=\"partial\"}": status.stories.partial,
            "stories{state=\"failed\"}": status.stories.failed,
            "stories{state=\"fallback\"}": status.stories.fallback,
            "transfers_active": status.transfers.active,
            "transfers_queued": status.transfers.queued,
            "transfers_completed_total": status.transfers.completed,
            "transfers_failed_total": status.transfers.failed,
            "transfers_retried_total": status.transfers.retried,
            "transfers_resumed_total": status.transfers.resumed,
            "transfers_bytes_total": status.transfers.bytes,
            "transfer_seconds_count": status.transfers.completed,
            "cache_objects": status.cache.objects,
            "cache_bytes": status.cache.bytes,
            "cache_max_bytes": status.cache.maxBytes,
            "cache_hits_total": status.cache.hits,
            "cache_misses_total": status.cache.misses,
            "cache_revalidated_total": status.cache.revalidated,
            "cache_coalesced_total": status.cache.coalesced,
            "cache_deduplicated_total": status.cache.deduplicated,
            "cache_evicted_total": status.cache.evicted,
            "cache_corrupt_total": status.cache.corrupt,
        ]
        for (name, value) in told { #expect(metrics["storiesd_\(name)"] == Double(value), "\(name)") }
    }

    @Test func `after five hundred stories all agrees with status, nothing has ever fallen, and promtool is content`()
        async throws
    {
        let load = try await StoryLoad(stories: 500, pages: 2, origin: NginxOrigin(), sizes: 8_000...9_000)
        let daemon = try await DaemonProcess.ready(place)
        let last = Locked(try metrics(daemon))
        #expect(last.withLock { $0["storiesd_stories_accepted_total"] } == 0)
        try load.drop(into: place)
        try await daemon.wait("all stories are ready", within: patience(.seconds(120))) {
            let now = try metrics(daemon)
            let before = last.withLock { last in
                defer { last = now }
                return last
            }
            for (series, value) in before.growing { #expect(now[series] >= value, "\(series)") }
            return now["storiesd_stories{state=\"ready\"}"] == 500 && now["storiesd_transfers_active"] == 0
        }
        let text = try daemon.answer(.metrics).body
        let told = try MetricValues(text)
        expectAgreement(told, try daemon.status())
        #expect(told["storiesd_stories_accepted_total"] == 500)
        #expect(told["storiesd_pages_cached_total{source=\"network\"}"] == 1000)
        for name in ["first_page", "settled"] {
            #expect(told["storiesd_story_\(name)_seconds_count"] == 500)
            #expect(told["storiesd_story_\(name)_seconds_bucket{le=\"+Inf\"}"] == 500)
            #expect(told["storiesd_story_\(name)_seconds_sum"] > 0)
        }
        #expect(told["storiesd_process_open_fds"] > 3)
        try await Promtool.check(text)
    }

    @Test func `what goes wrong is told by its code, and nothing of it by its address`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/secret-a", .ok(SampleImages.png()))
        origin.script("/secret-b", .status("404 Not Found"))
        let daemon = try await DaemonProcess.ready(place)
        let codes = PageError.Code.allCases.map { "storiesd_page_failures_total{code=\"\($0.rawValue)\"}" }
        #expect(try codes.map { try metrics(daemon)[$0] } == codes.map { _ in 0 })

        let payload = Payloads.story("secret-story", images: [origin.url("/secret-a?key=1"), origin.url("/secret-b")])
        try place.drop("secret.json", payload, group: "secret-group")
        try place.drop("push.json", Array(#"{"aps": {"alert": "Hello"}, "p": "secret-push"}"#.utf8))
        try place.drop("bad.json", Array("{\"a\": 1".utf8))
        try await daemon.finished(payloads: 3)
        let text = try daemon.answer(.metrics).body
        let told = try MetricValues(text)
        expectAgreement(told, try daemon.status())
        #expect(told["storiesd_page_failures_total{code=\"http_status\"}"] == 1)
        #expect(codes.map { told[$0] }.reduce(0, +) == 1)
        #expect(told["storiesd_inbox_rejected_total"] == 1)
        #expect(told["storiesd_stories{state=\"partial\"}"] == 1 && told["storiesd_stories{state=\"fallback\"}"] == 1)
        #expect(told["storiesd_story_first_page_seconds_count"] == 1)
        #expect(told["storiesd_story_settled_seconds_count"] == 2)
        #expect(!String(decoding: text, as: UTF8.self).contains("secret"))
        #expect(told.values.keys.allSatisfy { $0.hasPrefix("storiesd_") })
        try await Promtool.check(text)

        // A story that is there already is measured again when another takes its place, not when it comes again.
        try place.drop("again.json", payload, group: "secret-group")
        try await daemon.finished(payloads: 4)
        #expect(try metrics(daemon)["storiesd_story_settled_seconds_count"] == 2)
    }

    @Test func `what an earlier run has accepted is not measured`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", [ScriptedAnswer(.stall), .ok(SampleImages.png())])
        try await {
            let daemon = try await DaemonProcess.ready(place)
            try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]))
            try await daemon.wait("it is asked for") { origin.requests.count == 1 }
            try await daemon.kill()
        }()
        let daemon = try await DaemonProcess.ready(place)
        _ = try await daemon.settled("a")
        let told = try metrics(daemon)
        #expect(told["storiesd_pages_cached_total{source=\"network\"}"] == 1)
        #expect(told["storiesd_transfer_seconds_count"] == 1)
        #expect(told["storiesd_story_first_page_seconds_count"] == 0)
        #expect(told["storiesd_story_settled_seconds_count"] == 0)
    }

    // MARK: The file

    private var configuration: String { place.path("storiesd.json5") }

    private func configure(_ path: String?) throws {
        let places = place.settings.map { "\($0): '\($1)'," }.joined(separator: "\n")
        let file = path.map { "metrics_textfile: '\($0)'" } ?? "metrics_textfile: null"
        try FileBytes.put(Array("{\n\(places)\n\(file)\n}\n".utf8), at: configuration)
    }

    private func told(by file: String) throws -> MetricValues? {
        access(file, F_OK) == 0 ? try MetricValues(FileBytes.read(file)) : nil
    }

    @Test func `the file is there at once, follows the configuration, and says the end`() async throws {
        let folder = place.path("collected")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let (first, second) = ("\(folder)/a.prom", "\(folder)/b.prom")
        try configure(first)
        let daemon = try DaemonProcess(place, configurationFile: configuration)
        try await daemon.waitUntilReady()
        try await daemon.wait("the file is there", within: patience(.seconds(1))) { access(first, F_OK) == 0 }
        // Another user's collector reads it.
        #expect(try place.status(first).mode == 0o644)
        try await Promtool.check(try FileBytes.read(first))
        try place.drop("push.json", Array(#"{"aps": {"alert": "Hello"}, "p": "push"}"#.utf8))
        try await daemon.finished(payloads: 1)

        try configure(second)
        daemon.reload()
        try await daemon.wait("the other file is there and the first is gone") {
            try place.names(folder) == ["b.prom"]
        }
        #expect(try told(by: second)?["storiesd_stories_accepted_total"] == 1)
        try configure(nil)
        daemon.reload()
        try await daemon.wait("there is no file any more") { try place.names(folder) == [] }
        try configure(first)
        daemon.reload()
        try await daemon.wait("there is a file again") { try place.names(folder) == ["a.prom"] }
        #expect(try told(by: first)?["storiesd_state{state=\"running\"}"] == 1)

        #expect(try await daemon.terminate() == .exited(0))
        #expect(try place.names(folder) == ["a.prom"])
        #expect(try told(by: first)?["storiesd_state{state=\"stopping\"}"] == 1)
        #expect(try told(by: first)?["storiesd_stories_accepted_total"] == 1)
    }

    @Test func `a file that cannot be written is told once and stops nothing, and comes when it can`() async throws {
        let folder = place.path("collected")
        let file = "\(folder)/storiesd.prom"
        let daemon = try await DaemonProcess.ready(place, ["metrics_textfile=\(file)"])
        try await daemon.wait("the problem is told") {
            try daemon.status().problems.map(\.code) == ["metrics_unwritable"]
        }
        #expect(try daemon.status().problems[0].message.contains(file))
        #expect(try metrics(daemon)["storiesd_problems{code=\"metrics_unwritable\"}"] == 1)
        #expect(try daemon.answer(.health).status == 200)
        try place.drop("push.json", Array(#"{"aps": {"alert": "Hello"}, "p": "push"}"#.utf8))
        try await daemon.finished(payloads: 1)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        // With the next of the regular writings.
        try await daemon.wait("the file is there", within: patience(.seconds(20))) {
            try told(by: file)?["storiesd_stories_accepted_total"] == 1
        }
        try await daemon.wait("nothing is wrong any more") { try daemon.status().problems.isEmpty }
        #expect(daemon.log.components(separatedBy: "the metrics' file cannot be written").count == 2)
    }
}
