import ControlAPI
import Glibc
import Stories
import TestOrigins
import TestSupport
import Testing

/// Somebody removes what is the daemon's, under a running daemon.
@Suite(.timeLimit(.minutes(3))) struct InterferenceTests {
    /// A daemon with a ready story of two pictures, for the group that is provisioned.
    private func ready(_ origin: ScriptedOrigin, _ place: DaemonPlace) async throws -> DaemonProcess {
        for number in 0..<2 { origin.script("/\(number)", .ok(SampleImages.png(seed: number))) }
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place, ["inbox_rescan=1"])
        try await drop("first", origin, daemon)
        try await daemon.finished(payloads: 1)
        try await daemon.wait("latest.json is there") { try place.names(place.cache("shop")).contains("latest.json") }
        return daemon
    }

    private func drop(_ id: String, _ origin: ScriptedOrigin, _ daemon: DaemonProcess) async throws {
        let images = [origin.url("/0"), origin.url("/1")]
        try daemon.place.drop("\(id).json", Payloads.story(id, images: images), group: "shop")
        let manifest = try await daemon.settled(id, group: "shop")
        #expect(manifest.state == .ready, "\(daemon.log)")
    }

    private func waitUntilTold(_ daemon: DaemonProcess, _ word: String) async throws {
        try await daemon.wait("status tells it") {
            let status = try daemon.status()
            return status.state == .degraded
                && status.problems.contains { $0.code == "interference" && $0.message.contains(word) }
        }
        #expect(try daemon.answer(.health).status == 200)
    }

    /// `isTold`: that it is mended may be told for a while.
    private func waitUntilWell(
        _ daemon: DaemonProcess, stories: Int, objects count: Int, isTold: Bool = false
    ) async throws {
        try await daemon.wait("nothing is wrong any more, and status agrees with the disk") {
            let status = try daemon.status()
            let isWell = status.state == .running || isTold && status.problems.allSatisfy { $0.code == "interference" }
            return try isWell && status.stories.ready == stories && status.cache.objects == count
                && status.cache.bytes == objects(daemon.place, group: "shop").bytes
        }
        try await expectSound(daemon.place, group: "shop")
    }

    @Test(arguments: ["shop/pw_stories_cache", "shop"])
    func `a container is removed: status tells it, and the next payload works`(name: String) async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await ready(origin, place)
        try await Tool.run("/bin/rm", ["-r", "\(place.groups)/\(name)"])
        try await waitUntilTold(daemon, "\(place.groups)/shop/pw_stories_cache was removed")
        try await drop("second", origin, daemon)
        try await waitUntilWell(daemon, stories: 1, objects: 2, isTold: true)
        #expect(try place.manifest("second", group: "shop")?.groupFallback == (name == "shop"))
    }

    @Test func `a manifest is written over: it is no answer, and the next start tells of it`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await ready(origin, place)
        let path = "\(place.cache("shop"))/stories/first/manifest.json"
        try FileBytes.put(Array("{\"x".utf8), at: path)
        let answer = try daemon.answer(.story(id: "first", group: "shop"))
        #expect(answer.status == 503 && String(decoding: answer.body, as: UTF8.self).contains("is damaged"))
        #expect(try await daemon.terminate() == .exited(0))
        let next = try await DaemonProcess.ready(place, ["inbox_rescan=1"])
        try await next.wait("status tells it") {
            try next.status().problems.contains { $0.code == "story_unreadable" && $0.message.contains(path) }
        }
        let images = [origin.url("/0"), origin.url("/1")]
        try place.drop("first.json", Payloads.story("first", images: images), group: "shop")
        try await next.wait("it is whole again") { (try? place.manifest("first", group: "shop"))?.state == .ready }
        try await waitUntilWell(next, stories: 1, objects: 2)
    }

    @Test func `a container is removed between two payloads: nothing of the first is called cached`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await ready(origin, place)
        // It knows the container as it is: after the first look comes the first reading, which is noted.
        try await daemon.wait("it has looked") { try !FileBytes.read("\(place.state)/scrub").isEmpty }
        try await Tool.run("/bin/rm", ["-r", place.cache("shop")])
        try await drop("second", origin, daemon)
        try await waitUntilWell(daemon, stories: 1, objects: 2, isTold: true)
    }

    @Test func `a picture is removed: it is fetched again without being asked for`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await ready(origin, place)
        let image = try #require(try place.manifest("first", group: "shop")?.pages[1].state.image)
        #expect(unlink("\(place.cache("shop"))/\(image.file)") == 0)
        try await waitUntilTold(daemon, "pictures were removed from \(place.groups)/shop")
        try await waitUntilWell(daemon, stories: 1, objects: 2)
        #expect(origin.requests.map(\.target).sorted() == ["/0", "/1", "/1"])
        #expect(try daemon.status().cache.corrupt == 1)
    }

    @Test(arguments: ["index.sqlite", "lock", ""])
    func `the index, the lock or all of the state is removed: told, made again, and no second daemon gets it`(
        name: String
    ) async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await ready(origin, place)
        try await Tool.run("/bin/rm", ["-r", "\(place.state)/\(name)"])
        try await waitUntilTold(daemon, place.state)
        try await daemon.wait("it is there again") {
            try Set(place.names(place.state)).isSuperset(of: ["index.sqlite", "lock"])
        }
        let second = try DaemonProcess(place, ["socket=\(place.path("second.sock"))"])
        #expect(try await second.waitForEnd() == .exited(75), "\(second.log)")
        place.daemon = daemon
        try await drop("second", origin, daemon)
        try await waitUntilWell(daemon, stories: 2, objects: 2, isTold: true)
        #expect(origin.requests.count == 2)
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test func `a second daemon that has got the state directory first ends the first one`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let daemon = try await ready(origin, place)
        daemon.pause()
        #expect(unlink("\(place.state)/lock") == 0)
        let second = try DaemonProcess(place, ["socket=\(place.path("second.sock"))"])
        try await second.wait("the second is ready") { second.log.contains("ready") }
        daemon.proceed()
        #expect(try await daemon.waitForEnd() == .exited(75), "\(daemon.log)")
        #expect(try await second.terminate() == .exited(0))
    }
}
