import ControlAPI
import Glibc
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// Disks that are full or read-only, at the start and while the daemon runs.
@Suite(.enabled(if: SmallDisk.isAllowed, "nothing may be mounted here")) struct DiskTests {
    /// Small disks have none of the room that is otherwise kept free; what can be tried again is, soon.
    private static let settings = [
        "cache.min_free_bytes=0", "cache.min_free_inodes=0", "network.retry_base=0.01", "network.max_attempts=2",
        "inbox_rescan=1",
    ]

    @Test func `a full container costs its own stories pictures, and they come by themselves when there is room`()
        async throws
    {
        let origin = try ScriptedOrigin()
        let images = (0..<6).map { origin.url("/\($0)") }
        for number in 0..<6 { origin.script("/\(number)", .ok(SampleImages.jpeg(seed: number, bytes: 300_000))) }
        let place = try DaemonPlace()
        try place.provision("other")
        let disk = try SmallDisk(options: "size=2m", at: place.provision("shop"), of: place)
        let filler = try disk.fill(leaving: 250_000)
        let daemon = try await DaemonProcess.ready(place, Self.settings)
        try place.drop("a.json", Payloads.story("a", images: Array(images[..<3])), group: "shop")
        let failed = try await daemon.settled("a", group: "shop")
        #expect(failed.state == .failed)
        #expect(failed.pages.map(\.state.error?.code) == [.noSpace, .noSpace, .noSpace], "\(daemon.log)")
        let status = try daemon.status()
        #expect(status.state == .degraded && status.problems.map(\.code) == ["container_full"])
        #expect(status.problems.first?.message.contains("group shop, \(disk.path),") == true)
        #expect(try daemon.answer(.health).status == 200)
        // Nobody else is the worse for it.
        try place.drop("b.json", Payloads.story("b", images: Array(images[3...])), group: "other")
        #expect(try await daemon.settled("b", group: "other").state == .ready)
        try place.drop("c.json", Payloads.story("c", images: Array(images[3...])))
        #expect(try await daemon.settled("c").state == .ready)

        #expect(unlink(filler) == 0)
        let ready = try await daemon.manifest("a", group: "shop", that: "is ready") { $0.state == .ready }
        #expect(ready.receivedAt == failed.receivedAt)
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        for group in ["shop", "other", nil] { try await expectSound(place, group: group) }
    }

    @Test func `a picture that two groups want reaches the one that has room`() async throws {
        let origin = try ScriptedOrigin()
        let gate = try Gate()
        var held = ScriptedAnswer.ok(SampleImages.jpeg(bytes: 300_000))
        held.steps.insert(.wait(gate), at: 0)
        origin.script("/a", [held, .ok(SampleImages.jpeg(bytes: 300_000))])
        let place = try DaemonPlace()
        try place.provision("other")
        let disk = try SmallDisk(options: "size=2m", at: place.provision("shop"), of: place)
        let filler = try disk.fill(leaving: 250_000)
        let daemon = try await DaemonProcess.ready(place, Self.settings)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]), group: "shop")
        try await daemon.wait("it is asked for") { origin.requests.count == 1 }
        try place.drop("b.json", Payloads.story("b", images: [origin.url("/a")]), group: "other")
        try await daemon.wait("both wait for it") { try place.manifest("b", group: "other") != nil }
        gate.open()
        #expect(try await daemon.settled("b", group: "other").state == .ready, "\(daemon.log)")
        let failed = try await daemon.settled("a", group: "shop")
        #expect(failed.pages.map(\.state.error?.code) == [.noSpace])
        #expect(failed.pages.map(\.attempts) == [1])
        #expect(unlink(filler) == 0)
        _ = try await daemon.manifest("a", group: "shop", that: "is ready") { $0.state == .ready }
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test func `a container without inodes costs its own stories, and they come when there are some`() async throws {
        let origin = try ScriptedOrigin()
        let images = (0..<12).map { origin.url("/\($0)") }
        for number in 0..<12 { origin.script("/\(number)", .ok(SampleImages.png(seed: number))) }
        let place = try DaemonPlace()
        try place.provision("other")
        let disk = try SmallDisk(options: "size=2m,nr_inodes=16", at: place.provision("shop"), of: place)
        let daemon = try await DaemonProcess.ready(place, Self.settings)
        try place.drop("a.json", Payloads.story("a", images: images), group: "shop")
        let settled = try await daemon.settled("a", group: "shop")
        #expect(settled.state == .partial)
        #expect(Set(settled.pages.compactMap(\.state.error?.code)) == [.noSpace])
        try await daemon.wait("status tells it") {
            try daemon.status().problems.contains { $0.code == "container_full" }
        }
        try place.drop("b.json", Payloads.story("b", images: images), group: "other")
        #expect(try await daemon.settled("b", group: "other").state == .ready)

        try disk.remount("rw,nr_inodes=64")
        _ = try await daemon.manifest("a", group: "shop", that: "is ready") { $0.state == .ready }
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        for group in ["shop", "other"] { try await expectSound(place, group: group) }
    }

    @Test(arguments: [("size=2m", "size=16m"), ("size=2m,nr_inodes=16", "size=2m,nr_inodes=128")])
    func `a story larger than the disk gets what fits, and the rest once there is room`(
        disk options: (small: String, large: String)
    ) async throws {
        let origin = try ScriptedOrigin()
        let bytes = options.small.contains("inodes") ? 10_000 : 300_000
        let images = (0..<12).map { origin.url("/\($0)") }
        for number in 0..<12 { origin.script("/\(number)", .ok(SampleImages.jpeg(seed: number, bytes: bytes))) }
        let place = try DaemonPlace()
        #expect(mkdir(place.fallbackDirectory, 0o750) == 0)
        let disk = try SmallDisk(options: "\(options.small),mode=750", at: place.fallbackDirectory, of: place)
        let daemon = try await DaemonProcess.ready(place, Self.settings)
        try place.drop("a.json", Payloads.story("a", images: images))
        let settled = try await daemon.settled("a")
        #expect(settled.state == .partial)
        #expect(Set(settled.pages.compactMap(\.state.error?.code)) == [.noSpace])
        #expect(try daemon.answer(.health).status == 200)
        try disk.remount("rw,\(options.large)")
        _ = try await daemon.manifest("a", that: "is ready") { $0.state == .ready }
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        try await expectSound(place)
    }

    @Test func `while a container is read-only its payloads wait, and are accepted when it no longer is`()
        async throws
    {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        let place = try DaemonPlace()
        let disk = try SmallDisk(options: "size=2m", at: place.provision("shop"), of: place)
        let daemon = try await DaemonProcess.ready(place, Self.settings)
        try place.drop("first.json", Payloads.story("first", images: [origin.url("/a")]), group: "shop")
        #expect(try await daemon.settled("first", group: "shop").state == .ready)
        try await daemon.finished(payloads: 1)

        try disk.remount("ro")
        let payload = Payloads.story("a", images: [origin.url("/a")])
        try place.drop("a.json", payload, group: "shop")
        try place.drop("b.json", Payloads.story("b", images: [origin.url("/a")]))
        #expect(try await daemon.settled("b").state == .ready)
        try await daemon.wait("it is told in status") {
            let status = try daemon.status()
            return status.state == .degraded && status.inbox.pending == 1
                && Set(status.problems.map(\.code)) == ["container_unwritable", "container_refused"]
        }
        #expect(try daemon.status().problems.allSatisfy { $0.message.contains(disk.path) })
        #expect(try place.inboxFiles().map { try FileBytes.read("\(place.inbox)/\($0)") } == [payload])
        #expect(try place.stories("shop") == ["first"])

        try disk.remount("rw")
        #expect(try await daemon.settled("a", group: "shop").state == .ready)
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        for group in ["shop", nil] { try await expectSound(place, group: group) }
    }

    @Test func `while the inbox is read-only what lies in it waits, and is taken when it no longer is`() async throws {
        let place = try DaemonPlace()
        let disk = try SmallDisk(options: "size=2m", at: place.inbox, of: place)
        let daemon = try await DaemonProcess.ready(place, Self.settings)
        daemon.pause()
        try place.drop("a.json", Payloads.story("a", images: []))
        try disk.remount("ro")
        daemon.proceed()
        try await daemon.wait("it is told in status") {
            let status = try daemon.status()
            return status.state == .degraded && status.inbox.pending == 1
        }
        #expect(try daemon.status().problems.contains { $0.message.contains("Read-only file system") })
        #expect(try place.inboxFiles() == ["a.json"])

        try disk.remount("rw")
        try await daemon.finished(payloads: 1)
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        try await expectSound(place)
    }

    @Test(arguments: ["inbox", "state_directory"])
    func `a place on a read-only disk ends it with 1, the reason and what to do`(key: String) async throws {
        let place = try DaemonPlace()
        let disk = try SmallDisk(options: "size=1m,ro")
        for path in [disk.path, "\(disk.path)/below"] {
            let daemon = try DaemonProcess(place, ["\(key)=\(path)"])
            #expect(try await daemon.waitForEnd() == .exited(1))
            let last = daemon.log.split(separator: "\n").last.map(String.init) ?? ""
            #expect(last.contains("\(path)") && last.contains(": Read-only file system. \(key) must be"), "\(last)")
        }
    }

    @Test func `groups and a fallback on read-only disks leave it degraded, and it goes on when they are writable`()
        async throws
    {
        let place = try DaemonPlace()
        let disk = try SmallDisk(options: "size=1m,mode=750")
        for name in ["groups", "groups/shop"] { #expect(mkdir("\(disk.path)/\(name)", 0o750) == 0) }
        try disk.remount("ro")
        let daemon = try await DaemonProcess.ready(
            place,
            Self.settings + ["app_groups_root=\(disk.path)/groups", "fallback_directory=\(disk.path)/fallback/below"])
        let status = try daemon.status()
        #expect(status.state == .degraded)
        #expect(status.problems.map(\.code) == ["fallback_unusable", "container_unwritable"])
        try place.drop("a.json", Payloads.story("a", images: []))
        try place.drop("b.json", Payloads.story("b", images: []), group: "shop")
        try await daemon.wait("both are told to wait") {
            try daemon.status().problems.count { $0.code == "container_refused" } == 2
        }
        #expect(try place.inboxFiles().count == 2)

        try disk.remount("rw")
        try await daemon.finished(payloads: 2)
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        #expect(try place.inboxFiles() == [])
    }
}
