import ControlAPI
import Foundation
import Glibc
import JSON
import Platform
import Stories
import TestSupport
import Testing

/// What lies in the containers, and whom it belongs to.
struct ContainerTests {
    @Test func `objects bear the names that xxh128sum gives them, and status counts their bytes`() async throws {
        let origin = try await NginxOrigin()
        let pictures = [
            SampleImages.jpeg(seed: 1, bytes: 300_000), SampleImages.png(seed: 2),
            SampleImages.png(seed: 3, bytes: 70_001),
        ]
        for (number, picture) in pictures.enumerated() { try origin.serve(picture, at: "/\(number)") }
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place)
        let images = pictures.indices.map { origin.url("/\($0)") }
        try place.drop("a.json", Payloads.story("a", images: images))
        try place.drop("a.json", Payloads.story("a", images: images.reversed() + [images[0]]), group: "shop")
        try await daemon.finished(payloads: 2)
        for group in [nil, "shop"] {
            let manifest = try #require(try place.manifest("a", group: group))
            #expect(manifest.state == .ready, "\(manifest.pages.map(\.state))\n\(daemon.log)")
        }

        try await expectSound(place)
        try await expectSound(place, group: "shop")
        for group in [nil, "shop"] {
            let folder = "\(place.cache(group))/objects"
            let files = try place.tree(folder).filter { try place.status("\(folder)/\($0)").kind == .regular }
            #expect(files.count == 3)
            let sums = try await RunningProgram.run("/usr/bin/xxh128sum", files.map { "\(folder)/\($0)" })
            #expect(sums.end == .exited(0))
            let names = String(decoding: sums.output, as: UTF8.self).split(separator: "\n").map { $0.prefix(32) }
            #expect(names == files.map { $0.dropFirst(3).prefix(32) })
            #expect(files.allSatisfy { $0.prefix(2) == $0.dropFirst(3).prefix(2) })
        }

        let total = pictures.map(\.count).reduce(0, +)
        let status = try daemon.status()
        #expect(try objects(place) == (3, total) && objects(place, group: "shop") == (3, total))
        #expect(status.cache.bytes == 2 * total)
        #expect(status.cache.objects == 6)
        #expect(Set(status.groups.map(\.bytes)) == [total])
        #expect(try place.names(place.inbox).filter { !$0.hasPrefix(".") } == ["shop"])
    }

    @Test(arguments: [false, true])
    func `folders and files are the container's group's, and nobody else's business`(setGroupID: Bool) async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a")
        let place = try DaemonPlace()
        let container = try place.provision("shop")
        // Only root may give a directory to a group that it is no member of.
        let owner: gid_t = geteuid() == 0 ? 54_321 : getegid()
        #expect(chown(container, uid_t.max, owner) == 0)
        #expect(chmod(container, setGroupID ? 0o2770 : 0o770) == 0)
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]), group: "shop")
        _ = try await daemon.settled("a", group: "shop")
        try await daemon.finished(payloads: 1)

        let cache = place.cache("shop")
        for path in try [cache] + place.tree(cache).map({ "\(cache)/\($0)" }) {
            let status = try place.status(path)
            #expect(status.group == owner, "\(path)")
            let folderMode: mode_t = setGroupID ? 0o2750 : 0o750
            #expect(status.mode == (status.kind == .directory ? folderMode : 0o640), "\(path)")
        }
        #expect(try place.status(container).mode == (setGroupID ? 0o2770 : 0o770))
    }

    @Test func `the daemon's own places are closed to others`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: []))
        try await daemon.finished(payloads: 1)

        #expect(try place.status(place.state).mode == 0o700)
        #expect(try place.status(place.socket).mode == 0o660)
        #expect(try place.status(place.fallbackDirectory).mode & 0o022 == 0)
        #expect(try place.status(place.cache(nil)).mode == 0o750)
    }

    @Test func `latest.json follows the newest story`() async throws {
        let origin = try await NginxOrigin()
        for number in 1...2 { try origin.serve(SampleImages.png(seed: number), at: "/\(number)") }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        var revisions: [String: Int] = [:]
        for id in ["first", "second"] {
            try place.drop("\(id).json", Payloads.story(id, images: [origin.url("/1"), origin.url("/2")]))
            let manifest = try await daemon.settled(id)
            revisions[id] = manifest.revision
            try await daemon.wait("latest.json names \(id)") { try latest(place) == LatestPointer(manifest) }
        }
        // An ordinary push is nothing to show.
        let push = try Payloads.sample("no-block", origin: "http://127.0.0.1:9")
        try place.drop("push.json", push)
        try await daemon.finished(payloads: 3)
        #expect(try latest(place)?.id.description == "second")
        // A story that comes again, changed, is the newest.
        try place.drop("first.json", Payloads.story("first", images: [origin.url("/2")]))
        try await daemon.wait("latest.json names the first again") { try latest(place)?.id.description == "first" }
        let again = try await daemon.manifest("first", that: "is settled again") { $0.settled && $0.pages.count == 1 }
        try await daemon.wait("latest.json tells its revision") { try latest(place) == LatestPointer(again) }
        #expect(try again.revision > #require(revisions["first"]))
    }

    @Test func `without its fallback directory the daemon is degraded, and payloads wait until it is there`()
        async throws
    {
        let place = try DaemonPlace()
        try place.provision("shop")
        // No directory can be made where a file is.
        try FileBytes.put([], at: place.fallbackDirectory)
        let daemon = try await DaemonProcess.ready(place, ["inbox_rescan=1"])
        let payload = Payloads.story("a", images: [])
        try place.drop("a.json", payload)
        try place.drop("b.json", Payloads.story("b", images: []), group: "shop")
        _ = try await daemon.settled("b", group: "shop")
        try await daemon.wait("it is told in status") {
            let status = try daemon.status()
            return !status.problems.isEmpty && status.inbox.pending == 1 && status.inbox.accepted == 1
        }
        let status = try daemon.status()
        #expect(status.state == .degraded)
        #expect(status.problems.contains { $0.message.contains(place.fallbackDirectory) })
        let waiting = try place.inboxFiles()
        #expect(try waiting.map { try FileBytes.read("\(place.inbox)/\($0)") } == [payload])

        #expect(unlink(place.fallbackDirectory) == 0)
        _ = try await daemon.settled("a")
        try await daemon.wait("nothing is wrong any more") { try daemon.status().state == .running }
        try await expectSound(place)
    }

    /// What `latest.json` says; nil where there is none.
    private func latest(_ place: DaemonPlace) throws -> LatestPointer? {
        let path = "\(place.cache(nil))/latest.json"
        guard access(path, F_OK) == 0 else { return nil }
        guard let json = try JSONParser.parse(FileBytes.read(path)).objectValue else { return nil }
        return try LatestPointer(json: json)
    }
}
