import ControlAPI
import Foundation
import Glibc
import Stories
import TestOrigins
import TestSupport
import Testing

/// What the cache may hold: bytes, stories, their age, and what the disk must keep free.
@Suite(.timeLimit(.minutes(5))) struct LimitTests {
    private static let pictureBytes = 64 << 10
    private static let limit = 1 << 20

    /// Pictures of all stories, two each, at a real origin.
    private static func load(_ stories: Int) async throws -> StoryLoad {
        try await StoryLoad(stories: stories, pages: 2, origin: NginxOrigin(), sizes: pictureBytes...pictureBytes)
    }

    private static func id(_ number: Int) -> String { "story-\(100 + number)" }

    @Test func `of three times what the cache may hold the newest stories stay, and the oldest go, manifest first`()
        async throws
    {
        let load = try await Self.load(24)
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["cache.max_bytes=\(Self.limit)"])
        let watch = LimitWatch(place)
        for story in 0..<24 {
            try place.drop("\(story).json", load.payload(story, id: Self.id(story)))
            _ = try await daemon.manifest(Self.id(story), that: "is ready") { $0.state == .ready }
        }
        let findings = try await watch.findings()
        #expect(findings.mostBytes <= Self.limit && findings.mostBytes > Self.limit / 2)
        #expect(findings.broken == [])
        // Eight stories fill it.
        let kept = (16..<24).map(Self.id)
        #expect(try place.stories() == kept, "\(daemon.log)")
        try await daemon.wait("latest.json names the newest") {
            String(decoding: try FileBytes.read("\(place.cache(nil))/latest.json"), as: UTF8.self).contains(Self.id(23))
        }
        try await daemon.wait("status tells it") {
            let status = try daemon.status()
            return status.stories.ready == 8 && status.cache.evicted == 32
        }
        let status = try daemon.status()
        #expect(status.cache.bytes == Self.limit && status.cache.objects == 16 && status.state == .running)
        try await expectSound(place)
    }

    @Test func `a flood of three times what the cache may hold stays below the limit, and the newest are ready`()
        async throws
    {
        let load = try await Self.load(24)
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["cache.max_bytes=\(Self.limit)", "network.retry_base=0.01"])
        let watch = LimitWatch(place)
        for story in 0..<24 { try place.drop("\(Self.id(story)).json", load.payload(story, id: Self.id(story))) }
        for story in 20..<24 {
            _ = try await daemon.manifest(Self.id(story), that: "is ready") { $0.state == .ready }
        }
        try await daemon.finished(payloads: 24)
        let findings = try await watch.findings()
        #expect(findings.mostBytes <= Self.limit && findings.mostBytes > 0 && findings.looks > 1)
        #expect(findings.broken == [])
        #expect((20..<24).allSatisfy { (try? place.manifest(Self.id($0))?.state) == .ready })
    }

    @Test func `killed while it makes room, no manifest names what is not there, and all goes on`() async throws {
        let load = try await Self.load(40)
        let place = try DaemonPlace()
        let settings = ["cache.max_bytes=\(Self.limit)", "network.retry_base=0.01"]
        for round in 0..<4 {
            let daemon = try await DaemonProcess.ready(place, settings)
            for story in round * 10..<(round + 1) * 10 {
                try place.drop("\(Self.id(story)).json", load.payload(story, id: Self.id(story)))
            }
            // The first story fills nothing; a few more each time.
            let wanted = round == 0 ? 1 : 2 * round
            try await daemon.wait("\(wanted) stories are evicted") {
                daemon.log.components(separatedBy: " evicted: ").count > wanted
            }
            try await daemon.kill()
            let cache = place.cache(nil)
            for id in try place.stories() {
                #expect(LimitWatch.missing(of: "\(cache)/stories/\(id)/manifest.json", in: cache) == [])
            }
        }
        let daemon = try await DaemonProcess.ready(place, settings)
        for story in 36..<40 {
            _ = try await daemon.manifest(Self.id(story), that: "is ready") { $0.state == .ready }
        }
        try await daemon.wait("status agrees with the disk, below the limit") {
            let status = try daemon.status()
            let bytes = try objects(place).bytes
            return status.transfers.active == 0 && status.cache.bytes == bytes && bytes <= Self.limit
        }
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test func `stories that are too old go, with all that they held`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["cache.story_max_age=1"])
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]))
        try place.drop("b.json", Payloads.story("b", images: []))
        #expect(try await daemon.settled("a").state == .ready)
        try await daemon.wait("nothing is left") {
            try place.stories() == [] && objects(place).count == 0
                && !place.names(place.cache(nil)).contains("latest.json")
        }
        let none = StatusReport.Stories(prefetching: 0, ready: 0, partial: 0, failed: 0, fallback: 0)
        try await daemon.wait("status tells it") {
            let status = try daemon.status()
            return status.stories == none && status.cache.bytes == 0 && status.cache.evicted == 1
        }
    }

    @Test func `of more stories than a group may have the newest stay, in each group`() async throws {
        let origin = try ScriptedOrigin()
        for number in 0..<6 { origin.script("/\(number)", .ok(SampleImages.png(seed: number))) }
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place, ["cache.max_stories=3"])
        for number in 0..<6 {
            for group in ["shop", nil] {
                let images = [origin.url("/\(number)"), origin.url("/\(max(3, number))")]
                try place.drop("\(number).json", Payloads.story(Self.id(number), images: images), group: group)
                _ = try await daemon.settled(Self.id(number), group: group)
            }
        }
        let kept = (3..<6).map(Self.id)
        try await daemon.wait("three are left of each") {
            try place.stories() == kept && place.stories("shop") == kept && objects(place).count == 3
        }
        try await daemon.wait("status tells it") { try daemon.status().groups.map(\.stories) == [3, 3] }
        // One of them shares its picture with those that went.
        for group in ["shop", nil] { try await expectSound(place, group: group) }
    }

    @Test func `a picture larger than the cache fails as too large, and nothing goes for it`() async throws {
        let origin = try ScriptedOrigin()
        for number in 0..<2 { origin.script("/\(number)", .ok(SampleImages.png(seed: number, bytes: 45_000))) }
        let large = SampleImages.png(seed: 9, bytes: 110_000)
        origin.script("/declared", .ok(large))
        origin.script("/chunked", .chunked([Array(large[..<60_000]), Array(large[60_000...])]))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["cache.max_bytes=100000"])
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/0"), origin.url("/1")]))
        #expect(try await daemon.settled("a").state == .ready)
        try place.drop("b.json", Payloads.story("b", images: [origin.url("/declared"), origin.url("/chunked")]))
        let failed = try await daemon.settled("b")
        #expect(failed.pages.map(\.state.error?.code) == [.tooLarge, .tooLarge])
        #expect(failed.pages.allSatisfy { $0.state.error?.retryAt == nil })
        #expect(try place.manifest("a")?.state == .ready)
        #expect(try daemon.status().cache.evicted == 0)
        try await expectSound(place)
    }

    @Test(
        .enabled(if: SmallDisk.isAllowed, "nothing may be mounted here"),
        arguments: [
            ("size=2m", 0, 0), ("size=3m", 1_000_000, 0), ("size=8m,nr_inodes=40", 0, 0),
            ("size=8m,nr_inodes=50", 0, 10),
        ])
    func `on a small disk old stories make room for new ones`(options: String, bytes: Int, inodes: Int) async throws {
        let origin = try ScriptedOrigin()
        for number in 0..<14 { origin.script("/\(number)", .ok(SampleImages.jpeg(seed: number, bytes: 300_000))) }
        let place = try DaemonPlace()
        let disk = try SmallDisk(options: options, at: place.provision("shop"), of: place)
        let daemon = try await DaemonProcess.ready(
            place, ["cache.min_free_bytes=\(bytes)", "cache.min_free_inodes=\(inodes)", "network.retry_base=0.01"])
        for number in 0..<14 {
            let payload = Payloads.story(Self.id(number), images: [origin.url("/\(number)")])
            try place.drop("\(number).json", payload, group: "shop")
            _ = try await daemon.manifest(Self.id(number), group: "shop", that: "is ready") { $0.state == .ready }
        }
        let kept = try place.stories("shop")
        #expect(kept.count >= 3 && kept.count < 14, "\(daemon.log)")
        #expect(kept == (14 - kept.count..<14).map(Self.id))
        var space = statvfs()
        #expect(statvfs(disk.path, &space) == 0)
        // The last manifest, its directory and latest.json come on top.
        #expect(Int(space.f_bavail) * Int(space.f_frsize) >= bytes - 16_384 && Int(space.f_favail) >= inodes - 3)
        try await daemon.wait("nothing is wrong") { try daemon.status().state == .running }
        try await expectSound(place, group: "shop")
    }

    @Test func `a reload with less room takes effect soon`() async throws {
        let origin = try ScriptedOrigin()
        for number in 0..<4 { origin.script("/\(number)", .ok(SampleImages.png(seed: number, bytes: 40_000))) }
        let place = try DaemonPlace()
        let file = place.path("storiesd.json5")
        func configure(_ limits: String) throws {
            let places = place.settings.map { "\($0): '\($1)'," }.joined(separator: "\n")
            let text = "{\(places) network: {allowed_addresses: ['127.0.0.1']}, cache: {\(limits)}}"
            try FileBytes.put(Array(text.utf8), at: file)
        }
        try configure("")
        let daemon = try DaemonProcess(place, configurationFile: file)
        try await daemon.waitUntilReady()
        for number in 0..<4 {
            try place.drop("\(number).json", Payloads.story(Self.id(number), images: [origin.url("/\(number)")]))
            #expect(try await daemon.settled(Self.id(number)).state == .ready)
        }
        try configure("max_bytes: 100000")
        daemon.reload()
        try await daemon.wait("two are left") {
            try place.stories() == [Self.id(2), Self.id(3)] && objects(place).count == 2
        }
        try configure("max_bytes: 100000, max_stories: 1")
        daemon.reload()
        try await daemon.wait("one is left") { try place.stories() == [Self.id(3)] && objects(place).count == 1 }
        #expect(try await daemon.terminate() == .exited(0))
    }
}
