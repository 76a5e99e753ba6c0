import Platform
import Stories
import TestSupport
import Testing

/// Stories whose origin is away when they come: they settle in time, and get their pictures when it is back, without
/// being dropped again.
struct OriginAwayTests {
    /// When the daemon is started anew.
    enum Restart: CaseIterable {
        case never, beforeTheReturn, afterTheReturn
    }

    private let ids = ["a", "b", "c"]

    @Test(arguments: Restart.allCases)
    func `stories of an origin that is down are failed in time, and ready when it is back`(
        restart: Restart
    ) async throws {
        let origin = try await loadedOrigin()
        try await origin.stop()
        let place = try DaemonPlace()
        let settings = ["story_deadline=5", "network.max_attempts=2", "network.retry_base=0.01"]
        var daemon = try await DaemonProcess.ready(place, settings)
        let failed = try await dropAndFail(daemon, origin)
        for manifest in failed {
            #expect(manifest.pages.map(\.state.error?.code) == [.connect, .connect], "\(manifest.id)")
            #expect(manifest.pages.allSatisfy { ($0.state.error?.retryAt).map { $0 > manifest.updatedAt } == true })
        }
        if restart == .afterTheReturn { try await origin.start() }
        if restart != .never {
            #expect(try await daemon.terminate() == .exited(0))
            daemon = try await DaemonProcess.ready(place, settings)
        }
        if restart == .beforeTheReturn {
            // The network is tried at once after a start; that fails too.
            for (id, before) in zip(ids, failed) {
                _ = try await daemon.manifest(id, that: "has failed again, and awaits its next round") { manifest in
                    zip(manifest.pages, before.pages).allSatisfy {
                        $0.attempts >= $1.attempts + 2 && $0.state.error?.retryAt != nil
                    }
                }
            }
        }
        if restart != .afterTheReturn { try await origin.start() }
        try await expectReady(daemon, after: failed)
    }

    @Test func `stories that settled by their deadline are tried at once when any transfer succeeds`() async throws {
        let origin = try await loadedOrigin()
        try await origin.stop()
        let place = try DaemonPlace()
        // So long between attempts that the first round is not over by the deadline, nor for long after.
        let daemon = try await DaemonProcess.ready(
            place, ["story_deadline=1", "network.retry_base=1000", "network.retry_cap=1000"])
        let failed = try await dropAndFail(daemon, origin)
        #expect(failed.allSatisfy { $0.pages.allSatisfy { $0.attempts <= 1 } })
        try await origin.start()
        try place.drop("other.json", Payloads.story("other", images: [origin.url("/other")]))
        _ = try await daemon.manifest("other", that: "is ready") { $0.state == .ready }
        try await expectReady(daemon, after: failed)
    }

    @Test func `stories of an origin that hangs are failed by their deadline, and ready when it goes on`() async throws
    {
        let origin = try await loadedOrigin()
        origin.freeze()
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["story_deadline=1"])
        let failed = try await dropAndFail(daemon, origin)
        origin.resume()
        try await expectReady(daemon, after: failed)
    }

    /// An origin of all pictures that are wanted here.
    private func loadedOrigin() async throws -> NginxOrigin {
        let origin = try await NginxOrigin()
        for (number, path) in (ids.flatMap(paths) + ["/other"]).enumerated() {
            try origin.serve(SampleImages.png(seed: number), at: path)
        }
        return origin
    }

    private func paths(_ id: String) -> [String] { ["/\(id)1", "/\(id)2"] }

    /// Drops the stories; answers their manifests when all have settled, with no picture.
    private func dropAndFail(_ daemon: DaemonProcess, _ origin: NginxOrigin) async throws -> [Manifest] {
        for id in ids {
            try daemon.place.drop("\(id).json", Payloads.story(id, images: paths(id).map { origin.url($0) }))
        }
        var manifests: [Manifest] = []
        for id in ids { manifests.append(try await daemon.settled(id)) }
        #expect(manifests.map(\.state) == ids.map { _ in .failed })
        return manifests
    }

    private func expectReady(_ daemon: DaemonProcess, after failed: [Manifest]) async throws {
        for (id, before) in zip(ids, failed) {
            let ready = try await daemon.manifest(id, that: "is ready") { $0.state == .ready }
            #expect(ready.receivedAt == before.receivedAt && ready.revision > before.revision, "\(id)")
        }
        try await expectSound(daemon.place)
    }
}
