import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// Which pages go first, and that what hangs holds up nobody else.
struct OrderTests {
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
        var held = ScriptedAnswer.ok(Fault.picture)
        held.steps.insert(.wait(gate), at: 0)
        origin.script("/a0", held)
        for path in ["/a1", "/a2", "/b0", "/b1"] { origin.script(path, .ok(Fault.picture)) }
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

    @Test func `the first page of each of many stories is asked for before its later pages`() async throws {
        // It has one thread: what it logs is in the order in which it was asked.
        let origin = try await NginxOrigin()
        let load = try StoryLoad(stories: 150, pages: 4, origin: origin, sizes: 2_000...3_000)
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try load.drop(into: place)
        try await daemon.finished(payloads: load.stories)
        try await daemon.wait("the origin has written its log") { try origin.requests().count == 600 }
        let paths = try origin.requests().map(\.path)
        let places = Dictionary(uniqueKeysWithValues: zip(paths, paths.indices))
        for story in 0..<load.stories {
            let pages = (0..<load.pages).compactMap { places[load.path(story, page: $0)] }
            #expect(pages.count == load.pages && pages.min() == pages.first, "\(load.id(story)): \(pages)")
        }
        try await expectSound(place)
    }
}
