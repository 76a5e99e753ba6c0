import ControlAPI
import Glibc
import Hashing
import JSON
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// Downloads that break off, by the origin or with the daemon, go on from what is on disk; never from anything else.
struct ResumeTests {
    private static let size = 20_000_000
    private let picture = SampleImages.large(seed: 1, bytes: ResumeTests.size)
    /// However slow the machine: what is stuck stays so until the kill.
    private let patient = ["network.stall_timeout=600", "network.page_timeout=600", "story_deadline=600"]

    /// Kills the daemon when the origin has sent half of `picture` and most of that has got through the sockets, whose
    /// buffers may hold all of it; that is served by `later` from then on.
    private func killedAtHalf(
        _ origin: ScriptedOrigin, _ place: DaemonPlace,
        later: @escaping @Sendable (ScriptedOrigin.Request) -> ScriptedAnswer
    ) async throws {
        let (sent, never) = (try Gate(), try Gate())
        origin.respond(to: "/x") { [picture] _ in
            .begun(picture, Self.size / 2, then: .open(sent), .wait(never))
        }
        let daemon = try await DaemonProcess.ready(place, patient)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/x")]))
        try await daemon.wait("half is sent") { sent.isOpen }
        _ = try await notes(place, daemon, of: Self.size / 5 * 2)
        try await daemon.kill()
        origin.respond(to: "/x", later)
    }

    /// The part and its notes, once they tell of so many bytes.
    private func notes(
        _ place: DaemonPlace, _ daemon: DaemonProcess, of bytes: Int
    ) async throws -> (part: String, notes: String) {
        let folder = "\(place.cache(nil))/.partial"
        let found = Locked<String?>(nil)
        try await daemon.wait("there are notes of \(bytes) bytes") {
            guard let name = try place.names(folder).first(where: { $0.hasSuffix(".notes") }) else { return false }
            found.withLock { $0 = "\(folder)/\(name)" }
            let notes = try #require(JSONParser.parse(FileBytes.read("\(folder)/\(name)")).objectValue)
            return try notes.integer("bytes") >= bytes
        }
        let path = try #require(found.withLock { $0 })
        return (String(path.dropLast(".notes".count)), path)
    }

    private func expectReady(_ place: DaemonPlace, _ bytes: [UInt8], resumed: Int) async throws {
        let daemon = try await DaemonProcess.ready(place, patient)
        let manifest = try await daemon.settled("a")
        #expect(manifest.state == .ready, "\(manifest.pages.map(\.state.error))")
        #expect(manifest.pages[0].state.image?.contentID == .of(bytes))
        try await daemon.wait("status tells of it") { try daemon.status().transfers.completed == 1 }
        #expect(try daemon.status().transfers.resumed == resumed)
        try await expectSound(place)
        #expect(try place.names("\(place.cache(nil))/.partial") == [])
    }

    @Test func `killed at half of 20 MB, the next daemon has it for less than half as many bytes again`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        try await killedAtHalf(origin, place) { [picture] in .file(picture, to: $0) }
        try await expectReady(place, picture, resumed: 1)
        #expect(origin.bytesSent < Self.size * 3 / 2, "\(origin.bytesSent)")
        #expect(origin.requests.count == 2)
        #expect(origin.requests[1].header("If-Range") == "\"v1\"")
    }

    @Test func `killed at half, and meanwhile the picture is another: the new one, in one request`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let other = SampleImages.large(seed: 2, bytes: Self.size)
        try await killedAtHalf(origin, place) { .file(other, etag: "\"v2\"", to: $0) }
        try await expectReady(place, other, resumed: 0)
        #expect(origin.requests.count == 2)
        #expect(origin.requests[1].header("Range") != nil)
    }

    @Test func `killed twice on the way, from nginx`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(picture, at: "/x")
        let place = try DaemonPlace()
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/x")]))
        let folder = "\(place.cache(nil))/.partial"
        // So slow that seconds are left to see it and kill the daemon before it has all.
        for share in [4, 7] {
            let daemon = try DaemonProcess(place, patient + ["network.max_bytes_per_second=3000000"])
            try await daemon.wait("\(share) tenths are there") {
                try place.names(folder).contains { name in
                    // It may have gone since it was named.
                    (try? place.status("\(folder)/\(name)").size).map { $0 > Self.size / 10 * share } ?? false
                }
            }
            try await daemon.kill()
        }
        try await expectReady(place, picture, resumed: 1)
        #expect(try await eventually { try origin.requests("/x").count == 3 })
        let requests = try origin.requests("/x")
        #expect(requests.map(\.status) == [200, 206, 206])
        // What was on its way, in sockets or while the disk was waited for, is sent again.
        let last = try #require(requests.last).bytes
        #expect(last < Self.size / 10 * 7, "\(requests)")
    }

    /// What may become of a part while no daemon runs.
    enum Harm: CaseIterable, Sendable {
        case garbledNotes, noNotes, changedPart, shorterPart, noPart
    }

    @Test(arguments: Harm.allCases)
    func `what is not as it was noted is fetched afresh`(_ harm: Harm) async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let (sent, never) = (try Gate(), try Gate())
        origin.respond(to: "/x") { [picture] _ in
            .begun(picture, Self.size / 2, then: .open(sent), .wait(never))
        }
        let daemon = try await DaemonProcess.ready(place, patient)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/x")]))
        let (part, notes) = try await notes(place, daemon, of: 1_000_000)
        try await daemon.kill()
        switch harm {
        case .garbledNotes: try FileBytes.put([UInt8](repeating: 0x7b, count: 300), at: notes)
        case .noNotes: try checked("unlink") { unlink(notes) }
        case .changedPart:
            var bytes = try FileBytes.read(part)
            bytes[500_000] ^= 1
            try checked("unlink") { unlink(part) }
            try FileBytes.put(bytes, at: part)
        case .shorterPart: try checked("truncate") { truncate(part, 1000) }
        case .noPart: try checked("unlink") { unlink(part) }
        }
        origin.respond(to: "/x") { [picture] in .file(picture, to: $0) }
        try await expectReady(place, picture, resumed: 0)
        #expect(origin.requests.map { $0.header("Range") } == [nil, nil])
    }

    @Test func `a body that ends too early is asked on from there`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let picture = Fault.picture
        origin.respond(to: "/x") { request in
            ScriptedAnswer.start(of: request) == nil
                ? .begun(picture, 5000, then: .close) : .file(picture, to: request)
        }
        let daemon = try await DaemonProcess.ready(place, ["network.retry_base=0.01"])
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/x")]))
        let manifest = try await daemon.settled("a")
        #expect(manifest.state == .ready && manifest.pages[0].attempts == 2)
        #expect(origin.requests.map { $0.header("Range") } == [nil, "bytes=5000-"])
        #expect(try daemon.status().transfers.resumed == 1)
        try await expectSound(place)
    }

    @Test func `SIGTERM in mid-download costs nothing of what has come`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        origin.respond(to: "/x") { [picture] _ in .begun(picture, 300_000, then: .stall) }
        let daemon = try await DaemonProcess.ready(place, patient)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/x")]))
        let folder = "\(place.cache(nil))/.partial"
        try await daemon.wait("all that was sent is there") {
            try place.names(folder).contains { (try? place.status("\(folder)/\($0)").size) == 300_000 }
        }
        #expect(try await daemon.terminate() == .exited(0))
        #expect(try place.names(folder).count == 2)
        origin.respond(to: "/x") { [picture] in .file(picture, to: $0) }
        try await expectReady(place, picture, resumed: 1)
        #expect(origin.requests.last?.header("Range") == "bytes=300000-")
    }

    @Test func `the part of a story that is deleted goes with it, by the daemon or behind its back`() async throws {
        let (origin, place) = (try ScriptedOrigin(), try DaemonPlace())
        let settings = ["network.max_attempts=1"]
        for path in ["/x", "/y"] {
            origin.respond(to: path) { [picture] _ in .begun(picture, 2_000_000, then: .close) }
        }
        let folder = "\(place.cache(nil))/.partial"
        let daemon = try await DaemonProcess.ready(place, settings)
        for (id, path) in [("a", "/x"), ("b", "/y")] {
            try place.drop("\(id).json", Payloads.story(id, images: [origin.url(path)]))
            _ = try await daemon.settled(id)
        }
        try await daemon.wait("both parts are kept") { try place.names(folder).count == 4 }
        try await expectSound(place)
        #expect(try daemon.answer(.delete(id: "a", group: nil)).status == 200)
        try await daemon.wait("its part is gone") { try place.names(folder).count == 2 }
        #expect(try await daemon.terminate() == .exited(0))
        try checked("unlink") { unlink("\(place.cache(nil))/stories/b/manifest.json") }
        let next = try await DaemonProcess.ready(place, settings)
        try await next.wait("nothing is left") { try place.names(folder).isEmpty }
    }
}
