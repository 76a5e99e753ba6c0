import ControlAPI
import JSON
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// The daemon ends or stands still in mid-download: nothing is lost, and nothing is blamed for it.
struct InterruptionTests {
    @Test func `SIGTERM amid downloads and arrivals loses no payload, and the next start finishes them`() async throws {
        let origin = try ScriptedOrigin()
        let place = try DaemonPlace()
        let half = ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(Fault.picture.count)")
        for number in 0..<8 {
            origin.script("/\(number)-0", .ok(SampleImages.png(seed: number)))
            origin.script("/\(number)-1", ScriptedAnswer(.bytes(half + Fault.picture[..<10_000]), .stall))
        }
        let daemon = try await DaemonProcess.ready(place)
        let early = (0..<8).map { "early-\($0)" }
        for (number, id) in early.enumerated() {
            let images = (0..<2).map { origin.url("/\(number)-\($0)") }
            try place.drop("\(id).json", Payloads.story(id, images: images))
        }
        try await daemon.wait("several pictures are half there") {
            origin.requests.count { $0.target.hasSuffix("-1") } >= 4
        }
        let late = (0..<200).map { "late-\($0)" }
        for (number, id) in late.enumerated() {
            try place.drop("\(id).json", Payloads.story(id, images: [origin.url("/\(number % 8)-0")]))
        }
        let ids = early + late
        try await daemon.wait("some of the late ones are accepted") { try place.stories().count > 20 }
        #expect(try await daemon.terminate() == .exited(0))

        let accepted = Set(try place.stories())
        let waiting = try place.inboxFiles().map { try id(of: "\(place.inbox)/\($0)") }
        #expect(accepted.union(waiting) == Set(ids))
        for id in accepted { #expect(try place.manifest(id) != nil, "\(id)") }
        for number in early.indices { origin.script("/\(number)-1", .ok(Fault.picture)) }
        let next = try await DaemonProcess.ready(place)
        try await next.wait("all stories are ready") { try next.status().stories.ready == ids.count }
        #expect(try place.stories() == ids.sorted())
        try await expectSound(place)
    }

    @Test func `SIGSTOP for longer than the timeouts counts toward none of them`() async throws {
        let origin = try ScriptedOrigin()
        let (paused, passed) = (try Gate(), try Gate())
        let timeout = 2
        let images = (0..<5).map { origin.url("/\($0)") }
        for number in images.indices {
            let head = ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(Fault.picture.count)")
            // Silent while the daemon stands still, for half as long again as it would wait; and then for a moment more.
            origin.script(
                "/\(number)",
                ScriptedAnswer(
                    .bytes(head + Fault.picture[..<5_000]), .wait(paused),
                    .drip([Fault.picture[5_000]], every: .seconds(timeout) * 1.5), .open(passed),
                    .drip([Fault.picture[5_001]], every: .milliseconds(300)), .bytes(Array(Fault.picture[5_002...]))))
        }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(
            place,
            [
                "network.stall_timeout=\(timeout)", "network.connect_timeout=\(timeout)",
                "network.page_timeout=\(timeout)", "network.max_attempts=1",
            ])
        try place.drop("a.json", Payloads.story("a", images: images))
        // This one waits for its connection: nobody answers its TLS. At a port of its own, since libcurl takes all
        // connections to one port for the same kind, and waits to learn which.
        let silent = try ScriptedOrigin()
        let secure = "https://127.0.0.1:\(silent.port)/"
        try place.drop("b.json", Payloads.story("b", images: [secure]))
        try await daemon.wait("all pictures are under way") {
            origin.requests.count == images.count && silent.connections == 1
        }
        daemon.pause()
        paused.open()
        #expect(await eventually { passed.isOpen })
        let proceeded = ContinuousClock.now
        daemon.proceed()
        let manifest = try await daemon.settled("a")
        #expect(manifest.state == .ready, "\(manifest.pages.map(\.state.error))")
        #expect(manifest.pages.allSatisfy { $0.attempts == 1 })
        #expect(origin.requests.count == images.count)
        #expect(try await daemon.settled("b").pages[0].state.error?.code == .connect)
        #expect(.now - proceeded > .seconds(timeout) / 2, "it was given the time that it had left")
        try await expectSound(place)
    }

    /// The name of the story that a payload is for.
    private func id(of path: String) throws -> String {
        try #require(try JSONParser.parse(FileBytes.read(path)).objectValue).string("p")
    }
}
