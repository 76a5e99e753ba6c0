import Platform
import ControlAPI
import Stories
import TestSupport
import Testing
import TestOrigins

/// What is not fetched, and what is fetched and not kept.
struct RefusalTests {
    @Test func `a private address is refused before anything is opened`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a.png", .ok(SampleImages.png()))
        let place = try DaemonPlace()
        // Nothing of the loopback that the origin listens on is allowed.
        let daemon = try await DaemonProcess.ready(place, ["network.allowed_addresses=[\"127.0.0.2\"]"])
        let hosts = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]
        let images =
            hosts.map { "http://\($0):\(origin.port)/a.png" } + ["http://169.254.169.254/", "http://10.0.0.1/"]
        try place.drop("a.json", Payloads.story("a", images: images))
        let manifest = try await daemon.settled("a")

        #expect(manifest.state == .failed)
        #expect(manifest.pages.map(\.state.error?.code) == images.map { _ in .addressDenied })
        #expect(manifest.pages.allSatisfy { $0.state.error?.retryAt == nil })
        #expect(origin.connections == 0)
        try await expectSound(place)
    }

    @Test func `a redirect to a private address, or out of the web, is refused`() async throws {
        let origin = try ScriptedOrigin()
        let targets: [(String, PageError.Code)] = [
            ("http://10.0.0.1/a.png", .addressDenied), ("http://127.0.0.2:\(origin.port)/a.png", .addressDenied),
            ("file:///etc/hostname", .schemeDenied), ("ftp://127.0.0.1/a.png", .schemeDenied),
        ]
        for (number, target) in targets.enumerated() { origin.script("/\(number)", .redirect(to: target.0)) }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: targets.indices.map { origin.url("/\($0)") }))
        let manifest = try await daemon.settled("a")
        #expect(manifest.pages.map(\.state.error?.code) == targets.map(\.1))
        #expect(manifest.pages.map(\.attempts) == [1, 1, 1, 1])
        try await expectSound(place)
    }

    @Test func `only web addresses are pages`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a.png", .ok(SampleImages.png()))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let port = origin.port
        let images = [
            "file:///etc/hostname", "ftp://127.0.0.1:\(port)/a.png", "javascript:alert(1)",
            "data:image/png;base64,AA==",
            "gopher://127.0.0.1:\(port)/a", origin.url("/a.png"),
        ]
        try place.drop("a.json", Payloads.story("a", images: images))
        let manifest = try await daemon.settled("a")

        #expect(manifest.state == .ready && manifest.pages.map(\.page.index) == [5])
        #expect(manifest.skipped.map(\.index) == [0, 1, 2, 3, 4])
        #expect(manifest.skipped.allSatisfy { $0.code == .schemeDenied })
        #expect(origin.connections == 1)
        try await expectSound(place)
    }

    @Test func `a page of HTML is no picture, whatever it is called`() async throws {
        let origin = try ScriptedOrigin()
        let html = Array("<!DOCTYPE html><html><body>Please log in</body></html>".utf8)
        origin.script("/html", .ok(html, headers: ["Content-Type: text/html"]))
        origin.script("/png", .ok(html, headers: ["Content-Type: image/png"]))
        origin.script("/good", .ok(SampleImages.png(), headers: ["Content-Type: application/octet-stream"]))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: ["/html", "/png", "/good"].map { origin.url($0) }))
        let manifest = try await daemon.settled("a")

        #expect(manifest.state == .partial)
        #expect(manifest.pages.map(\.state.error?.code) == [.notImage, .notImage, nil])
        #expect(manifest.pages[2].state.image?.mediaType == "image/png")
        #expect(origin.requests.count == 3)
        try await expectSound(place)
    }

    @Test func `a status that is no success fails its page alone`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/good")
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/gone"), origin.url("/good")]))
        let manifest = try await daemon.settled("a")
        #expect(manifest.state == .partial)
        #expect(manifest.pages[0].state.error?.code == .httpStatus)
        #expect(manifest.pages[0].state.error?.httpStatus == 404)
        try await expectSound(place)
    }
}
