import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// An origin's faults, one page each: each has its code, leaves nothing behind, and costs the story's other pages
/// nothing.
struct FaultTests {
    @Test func `each fault has its code, leaves nothing behind, and the other pages are cached`() async throws {
        let origin = try ScriptedOrigin()
        let faults = try await Fault.all()
        for fault in faults { origin.script(fault.path, fault.answers) }
        let good = (1...3).map { "/good-\($0)" }
        for (number, path) in good.enumerated() { origin.script(path, .ok(SampleImages.png(seed: 100 + number))) }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(
            place,
            [
                "network.stall_timeout=1", "network.page_timeout=2", "network.max_attempts=2",
                "network.retry_base=0.01", "network.retry_horizon=0", "network.per_host=16",
                "limits.image_bytes=1000000", "limits.image_pixels=10000",
            ])
        let idle = try daemon.openDescriptors().count
        // The good ones first, in the midst and last.
        var paths = faults.map(\.path)
        paths.insert(good[1], at: paths.count / 2)
        paths = [good[0]] + paths + [good[2]]
        try place.drop("a.json", Payloads.story("a", images: paths.map { origin.url($0) }))
        let manifest = try await daemon.settled("a")

        #expect(manifest.state == .partial)
        let pages = Dictionary(uniqueKeysWithValues: zip(paths, manifest.pages))
        for fault in faults {
            let page = try #require(pages[fault.path])
            #expect(page.state.error?.code == fault.code, "\(fault.path): \(page.state)")
            #expect(page.state.isCached == (fault.code == nil), "\(fault.path)")
            #expect(page.attempts == fault.attempts, "\(fault.path)")
        }
        for path in good { #expect(pages[path]?.state.isCached == true, "\(path)") }
        // Stored as the picture that it is, whatever it was wrapped in.
        #expect(pages["/gzip"]?.state.image?.bytes == 20_000)
        try await expectSound(place)
        try await daemon.wait("the descriptors are closed") {
            try daemon.openDescriptors().count <= idle
        }
    }

    @Test func `a connection that the origin has closed while it was idle costs no attempt`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/1", .ok(Fault.picture))
        // It closes as the second request comes, as one does whose patience with the connection is over just then.
        origin.script("/2", ScriptedAnswer(.close), .ok(SampleImages.png(seed: 8)))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["network.per_host=1"])
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/1"), origin.url("/2")]))
        let manifest = try await daemon.settled("a")
        #expect(manifest.state == .ready)
        #expect(manifest.pages.map(\.attempts) == [1, 1])
        #expect(origin.requests.map(\.connection) == [1, 1, 2])
        try await expectSound(place)
    }

    @Test func `a hundred pages of one slow host are all cached, though together they take longer than a page may`()
        async throws
    {
        let origin = try ScriptedOrigin()
        let paths = (0..<100).map { "/\($0)" }
        for (number, path) in paths.enumerated() {
            var answer = ScriptedAnswer.ok(SampleImages.png(seed: number))
            // The first byte of the head, and then the origin thinks for a while.
            answer.steps.insert(.drip(Array("H".utf8), every: .milliseconds(30)), at: 0)
            if case .bytes(let bytes) = answer.steps[1] { answer.steps[1] = .bytes(Array(bytes.dropFirst())) }
            origin.script(path, answer)
        }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(
            place,
            [
                "network.per_host=2", "network.page_timeout=1", "network.stall_timeout=1", "network.connect_timeout=1",
                "network.max_attempts=1",
            ])
        try place.drop("a.json", Payloads.story("a", images: paths.map { origin.url($0) }))
        let manifest = try await daemon.settled("a")
        #expect(manifest.state == .ready)
        #expect(manifest.pages.allSatisfy { $0.attempts == 1 })
        try await expectSound(place)
    }
}
