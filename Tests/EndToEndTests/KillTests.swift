import Platform
import ControlAPI
import Stories
import TestSupport
import Testing
import TestOrigins

/// SIGKILL at bad moments: nothing is lost, nothing is there twice, nothing is left over.
struct KillTests {
    @Test func `killed in mid-story three times, the story is ready after the last start, once`() async throws {
        let origin = try ScriptedOrigin()
        let second = SampleImages.png(seed: 2, bytes: 200_000)
        let half = Array(second[..<100_000])
        let head = ScriptedAnswer.head(
            "HTTP/1.1 200 OK", "Content-Type: image/png", "Content-Length: \(second.count)", "ETag: \"2\"")
        let never = try Gate()
        let stuck = ScriptedAnswer(.bytes(head + half), .wait(never))
        origin.script("/1", .ok(SampleImages.png(seed: 1), headers: ["Cache-Control: max-age=3600"]))
        origin.script("/2", stuck, stuck, stuck, .ok(second, headers: ["ETag: \"2\""]))
        let place = try DaemonPlace()
        try place.provision("shop")
        let payload = Payloads.story("a", images: [origin.url("/1"), origin.url("/2")])
        try place.drop("a.json", payload, group: "shop")
        for round in 1...3 {
            // However slow the machine: what is stuck stays so until the kill.
            let daemon = try DaemonProcess(place, ["network.stall_timeout=600", "network.page_timeout=600"])
            try await daemon.wait("round \(round) waits for half a picture") {
                origin.requests.filter { $0.target == "/2" }.count == round
            }
            _ = try await daemon.manifest("a", group: "shop", that: "has its first page") { $0.pages[0].state.isCached }
            // The bytes that have come so far are in a file.
            try await daemon.wait("half a picture is there") {
                try !place.names("\(place.cache("shop"))/.partial").isEmpty
                    || !place.tree(place.fallbackDirectory).filter { $0.contains(".partial/") }.isEmpty
            }
            try await daemon.kill()
        }
        let daemon = try await DaemonProcess.ready(place)
        let manifest = try await daemon.settled("a", group: "shop")

        #expect(manifest.state == .ready)
        #expect(manifest.revision > 1)
        try await daemon.wait("status tells of it") { try daemon.status().stories.ready == 1 }
        #expect(try place.stories("shop") == ["a"])
        #expect(origin.requests.filter { $0.target == "/1" }.count == 1)
        try await expectSound(place, group: "shop")
        let status = try daemon.status()
        #expect(status.cache.bytes == (try objects(place, group: "shop").bytes))
        try expectNoTemporaries(place)
    }

    @Test func `killed again and again while payloads pour in, each becomes one story`() async throws {
        let origin = try await NginxOrigin()
        for number in 0..<5 { try origin.serve(SampleImages.png(seed: number, bytes: 20_000), at: "/\(number)") }
        let place = try DaemonPlace()
        let images = (0..<5).map { origin.url("/\($0)") }
        let ids = (10..<50).map { "story-\($0)" }
        for id in ids { try place.drop("\(id).json", Payloads.story(id, images: images)) }
        // So many stories more than at the start: in the midst of the others.
        for share in [1, 12, 25] {
            let daemon = try DaemonProcess(place)
            try await daemon.wait("\(share) stories are there") { try place.stories().count >= share }
            try await daemon.kill()
        }
        let daemon = try await DaemonProcess.ready(place)
        try await daemon.wait("all stories are ready") { try daemon.status().stories.ready == ids.count }
        #expect(try place.stories() == ids)
        try await expectSound(place)
        try expectNoTemporaries(place)
        #expect(try daemon.status().cache.bytes == 5 * 20_000)
    }

    /// Nothing is left in any place for what is under way.
    private func expectNoTemporaries(_ place: DaemonPlace) throws {
        for folder in [place.groups, place.fallbackDirectory] {
            let left = try place.tree(folder).filter { $0.contains(".partial/") }
            #expect(left == [])
        }
        #expect(try place.names("\(place.inbox)/.claimed") == [])
    }
}
