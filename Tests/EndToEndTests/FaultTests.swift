import ControlAPI
import Foundation
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// An origin's faults, one page each: each has its code, leaves nothing behind, and costs the story's other pages
/// nothing.
struct FaultTests {
    private static let picture = SampleImages.png(seed: 7, bytes: 20_000)

    /// What an origin does, and the code that the page fails with; nil where it is cached in the end.
    private static let faults: [(path: String, answers: [ScriptedAnswer], code: PageError.Code?)] = [
        ("/truncated", [announced(picture[..<5_000], then: .close)], .truncated),
        ("/no-last-chunk", [.chunked([Array(picture[..<5_000])], ended: false)], .truncated),
        ("/cut-without-length", [unannounced(picture[..<5_000])], .incompleteImage),
        ("/reset", [announced(picture[..<5_000], then: .reset)], .connectionLost),
        ("/closed-unanswered", [ScriptedAnswer(.close)], .connectionLost),
        ("/never-answered", [ScriptedAnswer(.stall)], .stalled),
        ("/stalled-midway", [announced(picture[..<5_000], then: .stall)], .stalled),
        ("/drip", [ScriptedAnswer(.bytes(head(picture.count)), .drip(picture, every: .milliseconds(300)))], .stalled),
        ("/404", [.status("404 Not Found")], .httpStatus),
        ("/204", [.raw("HTTP/1.1 204 No Content\r\n\r\n")], .empty),
        ("/empty", [.ok([])], .empty),
        ("/503-then-200", [.status("503 Service Unavailable"), .ok(picture)], nil),
        ("/429-then-200", [.status("429 Too Many Requests", headers: ["Retry-After: 0"]), .ok(picture)], nil),
        ("/to-file", [.redirect(to: "file:///etc/hostname")], .schemeDenied),
        ("/to-itself", [.redirect(to: "/to-itself")], .redirects),
        ("/html", [.ok(Array("<!doctype html><p>Log in</p>".utf8), headers: ["Content-Type: image/png"])], .notImage),
        ("/mp4", [.ok([0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0])], .unsupportedType),
        ("/huge", [.ok(SampleImages.png(width: 100_000, height: 1, seed: 3))], .tooManyPixels),
        ("/endless", [ScriptedAnswer(.bytes(endlessHead), .endless(ScriptedAnswer.chunk(picture)))], .tooLarge),
        ("/too-large", [announced(picture[..<100], length: 1 << 40, then: .close)], .tooLarge),
        (
            "/unasked-206", [.raw("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\n\r\n", then: .close)],
            .badResponse
        ),
        (
            "/two-lengths",
            [.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde", then: .close)],
            .badResponse
        ),
        ("/no-status-line", [.raw("hello", then: .close)], .badResponse),
        ("/gzip-that-is-none", [.ok(picture, headers: ["Content-Encoding: gzip"])], .encoding),
    ]

    private static let endlessHead = ScriptedAnswer.head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")

    private static func head(_ length: Int) -> [UInt8] {
        ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(length)")
    }

    private static func announced(
        _ body: ArraySlice<UInt8>, length: Int = picture.count, then end: ScriptedAnswer.Step
    ) -> ScriptedAnswer {
        ScriptedAnswer(.bytes(head(length) + body), end)
    }

    private static func unannounced(_ body: ArraySlice<UInt8>) -> ScriptedAnswer {
        ScriptedAnswer(.bytes(ScriptedAnswer.head("HTTP/1.1 200 OK", "Connection: close") + body), .close)
    }

    @Test func `each fault has its code, and the other pages are cached`() async throws {
        let origin = try ScriptedOrigin()
        for fault in Self.faults { origin.script(fault.path, fault.answers) }
        let good = (1...3).map { "/good-\($0)" }
        for (number, path) in good.enumerated() { origin.script(path, .ok(SampleImages.png(seed: 100 + number))) }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(
            place,
            [
                "network.stall_timeout=1", "network.max_attempts=2", "network.retry_base=0.01",
                "network.retry_horizon=0",
                "network.per_host=16", "limits.image_bytes=1000000", "limits.image_pixels=10000",
            ])
        let idle = try daemon.openDescriptors().count
        // The good ones first, in the midst and last.
        var paths = Self.faults.map(\.path)
        paths.insert(good[1], at: paths.count / 2)
        paths = [good[0]] + paths + [good[2]]
        try place.drop("a.json", Payloads.story("a", images: paths.map { origin.url($0) }))
        let manifest = try await daemon.settled("a")

        #expect(manifest.state == .partial)
        let codes = Dictionary(uniqueKeysWithValues: zip(paths, manifest.pages.map(\.state.error?.code)))
        for fault in Self.faults { #expect(codes[fault.path] == fault.code, "\(fault.path)") }
        for path in good { #expect(codes[path] == .some(nil), "\(path)") }
        let retried = Dictionary(uniqueKeysWithValues: zip(paths, manifest.pages.map(\.attempts)))
        #expect(retried["/503-then-200"] == 2 && retried["/truncated"] == 2 && retried["/404"] == 1)
        try await expectSound(place)
        try await daemon.wait("the descriptors are closed") {
            try daemon.openDescriptors().count <= idle
        }
    }

    @Test(arguments: [false, true])
    func `a story of an origin that was away is failed, and then ready without being dropped again`(
        restarts: Bool
    ) async throws {
        let origin = try ScriptedOrigin()
        let away = ScriptedAnswer(.reset)
        origin.script("/a", [away, away, .ok(Self.picture)])
        let place = try DaemonPlace()
        let settings = ["network.max_attempts=2", "network.retry_base=0.01"]
        var daemon = try await DaemonProcess.ready(place, settings)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]))
        let failed = try await daemon.settled("a")
        #expect(failed.state == .failed)
        #expect(failed.pages[0].state.error?.code == .connectionLost)
        #expect(failed.pages[0].state.error?.retryAt != nil)
        if restarts {
            #expect(try await daemon.terminate() == .exited(0))
            daemon = try await DaemonProcess.ready(place, settings)
        }
        let ready = try await daemon.manifest("a", that: "is ready") { $0.state == .ready }
        #expect(ready.receivedAt == failed.receivedAt && ready.revision > failed.revision)
        #expect(ready.pages[0].attempts == 3)
        try await expectSound(place)
    }

    @Test func `a story behind one whose host never answers is settled while that one still waits`() async throws {
        let silent = try ScriptedOrigin()
        let origin = try ScriptedOrigin()
        let stuck = (0..<30).map { "/stuck-\($0)" }
        for path in stuck { silent.script(path, ScriptedAnswer(.stall)) }
        for number in 0..<4 { origin.script("/\(number)", .ok(SampleImages.png(seed: number))) }
        let place = try DaemonPlace()
        // Another name of this machine is another host.
        let daemon = try await DaemonProcess.ready(
            place, ["network.stall_timeout=600", "network.allowed_addresses=[\"127.0.0.0/8\", \"::1\"]"])
        try place.drop("stuck.json", Payloads.story("stuck", images: stuck.map { silent.url($0, host: "127.0.0.1") }))
        try await daemon.wait("the silent host has been asked") { !silent.requests.isEmpty }
        try place.drop(
            "next.json", Payloads.story("next", images: (0..<4).map { origin.url("/\($0)", host: "localhost") }))
        let next = try await daemon.settled("next")
        #expect(next.state == .ready)
        #expect(try place.manifest("stuck")?.settled == false)
    }

    @Test func `first pages are asked for before the later pages of any story`() async throws {
        let origin = try ScriptedOrigin()
        let gate = try Gate()
        var held = ScriptedAnswer.ok(Self.picture)
        held.steps.insert(.wait(gate), at: 0)
        origin.script("/a0", held)
        for path in ["/a1", "/a2", "/b0", "/b1"] { origin.script(path, .ok(Self.picture)) }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["network.per_host=1"])
        try place.drop("a.json", Payloads.story("a", images: ["/a0", "/a1", "/a2"].map { origin.url($0) }))
        try await daemon.wait("the first page has been asked for") { origin.requests.count == 1 }
        try place.drop("b.json", Payloads.story("b", images: ["/b0", "/b1"].map { origin.url($0) }))
        try await daemon.wait("the second story is accepted") { try place.manifest("b") != nil }
        gate.open()
        _ = try await daemon.settled("a")
        _ = try await daemon.settled("b")
        let order = origin.requests.map(\.target)
        #expect(order[..<2] == ["/a0", "/b0"] && Set(order) == ["/a0", "/a1", "/a2", "/b0", "/b1"])
    }
}
