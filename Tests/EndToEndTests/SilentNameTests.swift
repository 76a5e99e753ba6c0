import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// Names that never resolve: they hold up no other story, nor the daemon's end.
struct SilentNameTests {
    @Test func `a story behind one whose host's name never resolves is settled while that one still waits`()
        async throws
    {
        let (names, origin, place) = (try await SilentNames(), try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await start(place, names, connectTimeout: 600)
        let stuck = (0..<30).map { "http://one.silent/\($0)" }
        try place.drop("stuck.json", Payloads.story("stuck", images: stuck))
        try await daemon.wait("the silent name is looked up") { try names.asked() == ["one.silent"] }
        try await expectReady("next", daemon, origin)
        #expect(try place.manifest("stuck")?.settled == false)
        #expect(try names.asked() == ["one.silent"])
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test func `forty names that never resolve hold up neither other stories nor the end`() async throws {
        let (names, origin, place) = (try await SilentNames(), try ScriptedOrigin(), try DaemonPlace())
        // There are more of them than slots: each is let go of after a second, and tried again soon.
        let daemon = try await start(place, names, connectTimeout: 1)
        let stuck = (0..<40).map { "http://name-\($0).silent/" }
        try place.drop("stuck.json", Payloads.story("stuck", images: stuck))
        try await daemon.wait("all of them hang") { try names.asked().count == stuck.count }
        try await expectReady("next", daemon, origin)
        #expect(try place.manifest("stuck")?.settled == false)
        #expect(Set(try names.asked()).count == stuck.count, "none is looked up twice")
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test(arguments: [1, 40])
    func `more names that never resolve than there are slots do not keep a story waiting`(stories: Int) async throws {
        let (names, origin, place) = (try await SilentNames(), try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await start(place, names, connectTimeout: 600)
        let stuck = (0..<40).map { "http://name-\($0).silent/" }
        let pages = stuck.count / stories
        for story in 0..<stories {
            let images = Array(stuck[story * pages..<(story + 1) * pages])
            try place.drop("stuck-\(story).json", Payloads.story("stuck-\(story)", images: images))
        }
        try await daemon.wait("many of them hang") { try names.asked().count >= 12 }
        try await expectReady("next", daemon, origin)
        for story in 0..<stories { #expect(try place.manifest("stuck-\(story)")?.settled == false) }
        #expect(try await daemon.terminate() == .exited(0))
    }

    /// A daemon with the silent names, whose stories do not settle by the clock.
    private func start(
        _ place: DaemonPlace, _ names: SilentNames, connectTimeout: Int
    ) async throws -> DaemonProcess {
        try await DaemonProcess.ready(
            place,
            [
                "network.connect_timeout=\(connectTimeout)", "story_deadline=600", "network.max_attempts=100",
                "network.allowed_addresses=[\"127.0.0.0/8\", \"::1\"]",
            ], environment: names.environment)
    }

    /// Drops a story whose host has a name that resolves, and waits until it is ready.
    private func expectReady(_ id: String, _ daemon: DaemonProcess, _ origin: ScriptedOrigin) async throws {
        let paths = (0..<2).map { "/\(id)-\($0)" }
        for (number, path) in paths.enumerated() { origin.script(path, .ok(SampleImages.png(seed: number))) }
        let images = paths.map { origin.url($0, host: "localhost") }
        try daemon.place.drop("\(id).json", Payloads.story(id, images: images))
        #expect(try await daemon.settled(id).state == .ready)
    }
}
