import ControlAPI
import Platform
import Stories
import TestSupport
import Testing
import TestOrigins

/// What is asked of the origin, and what is not.
struct RequestTests {
    @Test func `twenty cold stories over four groups share five pictures: each is asked for once`() async throws {
        let origin = try await NginxOrigin()
        for number in 0..<5 { try origin.serve(SampleImages.png(seed: number, bytes: 50_000), at: "/\(number)") }
        let place = try DaemonPlace()
        let groups: [String?] = [nil, "shop", "news", "elsewhere"]
        for group in ["shop", "news"] { try place.provision(group) }
        // There before the start, so that they come all at once.
        let images = (0..<5).map { origin.url("/\($0)") }
        for number in 0..<20 {
            let rotated = images[(number % 5)...] + images[..<(number % 5)]
            try place.drop(
                "\(number).json", Payloads.story("story-\(number)", images: Array(rotated)), group: groups[number % 4])
        }
        let daemon = try await DaemonProcess.ready(place)
        try await daemon.finished(payloads: 20)

        let status = try daemon.status()
        #expect(status.stories.ready == 20)
        try await daemon.wait("the origin has written its log") { try origin.requests().count >= 5 }
        let requests = try origin.requests()
        #expect(requests.map(\.path).sorted() == (0..<5).map { "/\($0)" })
        #expect(requests.allSatisfy { $0.status == 200 && $0.version == "HTTP/1.1" })
        // Each container has copies of its own, and none is a second name of another.
        var inodes: Set<UInt64> = []
        for group in groups {
            try await expectSound(place, group: group)
            let folder = "\(place.cache(group))/objects"
            let files = try place.tree(folder).map { try place.status("\(folder)/\($0)") }.filter {
                $0.kind == .regular
            }
            #expect(files.count == 5 && files.allSatisfy { $0.links == 1 })
            inodes.formUnion(files.map(\.inode))
        }
        #expect(inodes.count == 20)
        #expect(status.cache.bytes == 20 * 50_000)
    }

    @Test func `two payloads dropped together cold ask once for each picture`() async throws {
        let origin = try await NginxOrigin()
        for number in 0..<4 { try origin.serve(SampleImages.png(seed: number), at: "/\(number)") }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let urls = (0..<4).map { origin.url("/\($0)") }
        // The same picture again, by other names for one URL.
        try place.drop("a.json", Payloads.story("a", images: Array(urls[..<3]) + ["\(urls[0])#x", urls[0]]))
        try place.drop("b.json", Payloads.story("b", images: Array(urls[1...])))
        try await daemon.finished(payloads: 2)

        #expect(try daemon.status().stories.ready == 2)
        try await daemon.wait("the origin has written its log") { try origin.requests().count >= 4 }
        #expect(try origin.requests().map(\.path).sorted() == ["/0", "/1", "/2", "/3"])
        try await expectSound(place)
    }

    @Test func `a fresh picture is no request, and a payload seen twice is one story`() async throws {
        let origin = try ScriptedOrigin()
        for number in 1...2 {
            origin.script(
                "/\(number)",
                .ok(
                    SampleImages.png(seed: number), headers: ["Content-Type: image/png", "Cache-Control: max-age=3600"])
            )
        }
        let place = try DaemonPlace()
        let images = [origin.url("/1"), origin.url("/2")]
        let payload = Payloads.story("a", images: images)
        try await {
            let daemon = try await DaemonProcess.ready(place)
            try place.drop("a.json", payload)
            let manifest = try await daemon.settled("a")
            #expect(manifest.pages.map(\.state.image?.source) == [.network, .network])
            try place.drop("b.json", Payloads.story("b", images: images.reversed()))
            let second = try await daemon.settled("b")
            #expect(second.pages.map(\.state.image?.source) == [.cache, .cache])
            #expect(second.pages.map(\.attempts) == [0, 0])
            try place.drop("again.json", payload)
            try await daemon.finished(payloads: 3)
            #expect(try daemon.status().stories.ready == 2)
            #expect(try await daemon.terminate() == .exited(0))
        }()
        // What was fresh still is after a restart.
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("c.json", Payloads.story("c", images: images))
        let third = try await daemon.settled("c")
        #expect(third.pages.map(\.state.image?.source) == [.cache, .cache])
        #expect(origin.requests.map(\.target).sorted() == ["/1", "/2"])
        #expect(try place.stories() == ["a", "b", "c"])
        try await expectSound(place)
    }

    @Test func `over TLS twelve pages come through one HTTP/2 connection`() async throws {
        let origin = try await NginxOrigin()
        for number in 0..<12 { try origin.serve(SampleImages.png(seed: number, bytes: 40_000), at: "/\(number)") }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(
            place, ["network.ca_file=\(try await TestAuthority.shared().certificateFile)"])
        let images = (0..<12).map { origin.secureURL("/\($0)", host: "127.0.0.1") }
        try place.drop("a.json", Payloads.story("a", images: images))
        let manifest = try await daemon.settled("a")

        #expect(manifest.state == .ready)
        try await daemon.wait("the origin has written its log") { try origin.requests().count >= 12 }
        let requests = try origin.requests()
        #expect(requests.count == 12)
        #expect(requests.allSatisfy { $0.version == "HTTP/2.0" && $0.status == 200 })
        #expect(Set(requests.map(\.connection)).count == 1)
        try await expectSound(place)
    }

    @Test func `an origin that no known authority vouches for is not trusted`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a")
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["network.max_attempts=1"])
        try place.drop("a.json", Payloads.story("a", images: [origin.secureURL("/a")]))
        let manifest = try await daemon.settled("a")
        #expect(manifest.pages.map(\.state.error?.code) == [.tls])
        #expect(try origin.requests() == [])
    }
}
