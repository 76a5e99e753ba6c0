import ControlAPI
import Stories
import TestOrigins
import TestSupport
import Testing

/// The keys of `network` that tell how often, how long and how much.
struct KeysTestsTransfers {
    private let origin: ScriptedOrigin

    init() throws {
        origin = try ScriptedOrigin()
    }

    @Test(arguments: [(["network.concurrency=1"], 1), (["network.per_host=2"], 2), ([], 4)])
    func `so many transfers run at once`(settings: [String], count: Int) async throws {
        let gate = try Gate()
        let images = (0..<8).map { origin.url("/\($0)") }
        for number in images.indices {
            var held = ScriptedAnswer.ok(SampleImages.png(seed: number))
            held.steps.insert(.wait(gate), at: 0)
            origin.script("/\(number)", held)
        }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, settings)
        try place.drop("a.json", Payloads.story("a", images: images))
        try await daemon.wait("so many are asked for") { origin.requests.count >= count }
        gate.open()
        #expect(try await daemon.settled("a").state == .ready)
        // A connection is used again for the next one, so there are as many as there were transfers at once.
        #expect(settings.isEmpty ? origin.connections >= count : origin.connections == count)
    }

    @Test func `a connection that does not come about is given up in time`() async throws {
        // It never answers the greeting of TLS.
        let image = "https://127.0.0.1:\(origin.port)/a"
        let manifest = try await settledStory([image], ["network.connect_timeout=0.2", "network.max_attempts=1"])
        #expect(manifest.pages[0].state.error?.code == .connect)
        #expect(manifest.age < .seconds(8), "by default it would be 10 seconds")
    }

    @Test func `attempts follow each other as fast as the base of their pauses says`() async throws {
        origin.script("/a", .status("503 Service Unavailable"))
        let manifest = try await settledStory(
            [origin.url("/a")], ["network.retry_base=0.01", "network.max_attempts=9"])
        // By default the ninth came after a minute, and the story would have settled by its deadline before.
        #expect(manifest.pages[0].attempts == 9)
        #expect(manifest.age < .seconds(20))
    }

    @Test func `an origin that asks for a long pause is asked again after the cap`() async throws {
        let busy = ScriptedAnswer.status("429 Too Many Requests", headers: ["Retry-After: 1000"])
        origin.script("/a", busy, .ok(SampleImages.png()))
        let manifest = try await settledStory([origin.url("/a")], ["network.retry_cap=0.2", "network.retry_base=0.01"])
        #expect(manifest.state == .ready && manifest.pages[0].attempts == 2)
    }

    @Test(arguments: [(["network.retry_horizon=0"], false), ([], true)])
    func `beyond its horizon a page is not tried again`(settings: [String], isTriedAgain: Bool) async throws {
        origin.script("/a", .status("503 Service Unavailable"))
        let manifest = try await settledStory(
            [origin.url("/a")], settings + ["network.max_attempts=1"])
        #expect((manifest.pages[0].state.error?.retryAt != nil) == isTriedAgain)
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 2), (5, 3)])
    func `so many redirects are followed`(most: Int, followed: Int) async throws {
        for hop in 0..<3 { origin.script("/\(hop)", .redirect(to: "/\(hop + 1)")) }
        origin.script("/3", .ok(SampleImages.png()))
        let manifest = try await settledStory([origin.url("/0")], ["network.max_redirects=\(most)"])
        #expect(manifest.pages[0].state.error?.code == (followed == 3 ? nil : .redirects))
        #expect(origin.requests.map(\.target) == (0...followed).map { "/\($0)" })
    }

    @Test func `bytes come no faster than allowed`() async throws {
        let images = (0..<10).map { origin.url("/\($0)") }
        for number in images.indices {
            origin.script("/\(number)", .ok(SampleImages.png(seed: number, bytes: 50_000)))
        }
        let free = try await settledStory(images)
        let held = try await settledStory(images, ["network.max_bytes_per_second=200000"])
        #expect(free.state == .ready && held.state == .ready)
        // What comes at once is paid for by what comes later; two and a half seconds' worth is more than one second.
        #expect(held.age >= .seconds(1) && held.age > free.age, "\(held.age), \(free.age)")
    }
}
