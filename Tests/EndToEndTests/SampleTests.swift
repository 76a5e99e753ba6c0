import Platform
import ControlAPI
import Stories
import TestSupport
import Testing

/// Each sample payload, dropped as a file where the origin has every picture, gives what is stated of it.
struct SampleTests {
    /// What must come of a sample.
    struct Outcome: Sendable {
        let name: String
        var state = StoryState.ready
        var fallback: FallbackReason?
        /// The places of the pages, all of them cached.
        var pages: [Int] = []
        var durations: [Double] = []
        var skipped: [SkippedPage.Code] = []
        /// Nil where it is made of the URLs too, which are the origin's own here.
        var id: String?
        var title: String? = "Push Stories"
        var body = "Tap to explore"
    }

    static let outcomes = [
        Outcome(name: "docs-request", pages: [0, 1], durations: [5, 4]),
        Outcome(
            name: "device-u-string", pages: [0, 1], durations: [5, 4], id: "xe5c38ab4ebebb0132f80d47d60a7c309"),
        Outcome(
            name: "device-u-object", pages: [0], durations: [5], id: "x292240c77c583e3b91834d09d8139064", title: nil,
            body: "One page"),
        Outcome(name: "root-block", pages: [0], durations: [30]),
        Outcome(name: "userdata", pages: [0], durations: [5]),
        Outcome(
            name: "thai-russian-bengali", pages: [0, 1, 2, 3], durations: [5, 5, 5, 5], title: "สตอรี่", body: "গল্প"),
        Outcome(
            name: "mixed-bad-pages", pages: [4], durations: [4],
            skipped: [.notAnObject, .notAnObject, .noImage, .schemeDenied]),
        Outcome(name: "no-block", state: .fallback, fallback: .missing, title: "Hello", body: "Just a push"),
        Outcome(name: "empty-pages", state: .fallback, fallback: .empty),
        Outcome(name: "root-bad-wins", state: .fallback, fallback: .noUsablePages, skipped: [.noImage]),
        Outcome(name: "broken-u", state: .fallback, fallback: .malformed),
    ]

    @Test func `every sample payload gives its stated result, and a valid manifest`() async throws {
        let origin = try await NginxOrigin()
        for (number, name) in ["story-1", "story-2", "th", "ru", "bn", "ar"].enumerated() {
            try origin.serve(SampleImages.jpeg(width: 108, height: 162, seed: number), at: "/\(name).jpg")
        }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        for outcome in Self.outcomes {
            try place.provision(outcome.name)
            let payload = try Payloads.sample(outcome.name, origin: origin.url(""))
            try place.drop("payload.json", payload, group: outcome.name)
        }
        try await daemon.finished(payloads: Self.outcomes.count)

        for outcome in Self.outcomes { try await expect(outcome, place) }
        let status = try daemon.status()
        #expect(status.state == .running && status.problems == [])
        #expect(status.stories.ready == 7 && status.stories.fallback == 4)
    }

    @Test func `a sample that is cut off is moved aside with its reason`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let payload = try Payloads.sample("not-json", origin: "http://127.0.0.1:9")
        try place.drop("not-json.json", payload)
        try await daemon.finished(payloads: 1)

        #expect(try FileBytes.read("\(place.inbox)/.rejected/not-json.json") == payload)
        #expect(try reason(place, "not-json.json").code == "not_json")
        #expect(try place.stories() == [])
        #expect(try daemon.status().inbox.rejected == 1)
    }

    private func expect(_ outcome: Outcome, _ place: DaemonPlace) async throws {
        let group = outcome.name
        let ids = try place.stories(group)
        try #require(ids.count == 1, "\(group)")
        let manifest = try #require(try place.manifest(ids[0], group: group))
        #expect(manifest.state == outcome.state, "\(group)")
        #expect(manifest.settled, "\(group)")
        #expect(manifest.fallbackReason == outcome.fallback, "\(group)")
        #expect(manifest.pages.map(\.page.index) == outcome.pages, "\(group)")
        #expect(manifest.pages.map(\.page.duration) == outcome.durations, "\(group)")
        #expect(manifest.pages.allSatisfy { $0.state.image?.mediaType == "image/jpeg" }, "\(group)")
        #expect(manifest.pages.allSatisfy { $0.state.image?.height == 162 }, "\(group)")
        #expect(manifest.skipped.map(\.code) == outcome.skipped, "\(group)")
        #expect(manifest.alert.title == outcome.title && manifest.alert.body == outcome.body, "\(group)")
        #expect(!manifest.groupFallback, "\(group)")
        if let id = outcome.id { #expect(ids == [id], "\(group)") }
        try await expectSound(place, group: group)
    }
}
