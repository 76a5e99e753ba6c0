import ControlAPI
import Glibc
import Hashing
import Platform
import Stories
import TestSupport
import Testing

/// What is damaged behind the daemon's back, and how it comes right again.
@Suite(.timeLimit(.minutes(5))) struct HealingTests {
    /// All that can have happened to the index while the daemon was stopped.
    enum Harm: CaseIterable {
        case deleted, truncated, zeroed, ofVersion999

        func apply(to path: String) throws {
            var bytes = try FileBytes.read(path)
            switch self {
            case .deleted:
                try checked("unlink", path: path) { unlink(path) }
                return
            case .truncated: bytes.removeLast(bytes.count / 2)
            case .zeroed: bytes = bytes.map { _ in 0 }
            // PRAGMA user_version, big-endian; sqlite.org/fileformat.html.
            case .ofVersion999: bytes.replaceSubrange(60..<64, with: [0, 0, 3, 0xE7])
            }
            try FileBytes.put(bytes, at: path)
        }
    }

    @Test(arguments: Harm.allCases)
    func `whatever happened to the index, all stories are ready after a restart, without a request`(
        harm: Harm
    ) async throws {
        let origin = try await NginxOrigin()
        let load = try StoryLoad(stories: 10, pages: 4, origin: origin, sizes: 8_000...20_000)
        let place = try DaemonPlace()
        let first = try await DaemonProcess.ready(place)
        try load.drop(into: place)
        try await first.finished(payloads: 10)
        let before = try first.status()
        #expect(before.stories.ready == 10)
        #expect(try await first.terminate() == .exited(0))
        try harm.apply(to: "\(place.state)/index.sqlite")

        let daemon = try await DaemonProcess.ready(place)
        let after = try daemon.status()
        #expect(after.state == .running && after.stories == before.stories, "\(daemon.log)")
        #expect(after.cache.objects == 40 && after.cache.bytes == before.cache.bytes)
        // Nor do they cost the next story one.
        try place.drop("again.json", load.payload(0, id: "again"))
        let again = try await daemon.settled("again")
        #expect(again.pages.map(\.state.image?.source) == [.cache, .cache, .cache, .cache])
        #expect(try origin.requests().count == 40)
        try await expectSound(place)
    }

    @Test func `of a thousand pictures the one with a flipped byte is found and mended, and storiesctl says so`()
        async throws
    {
        let origin = try await NginxOrigin()
        let load = try StoryLoad(stories: 10, pages: 100, origin: origin, sizes: 8_000...8_200)
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try load.drop(into: place)
        try await daemon.finished(payloads: 10)
        #expect(try daemon.status().cache.objects == 1000)
        let image = try #require(try place.manifest(load.id(7))?.pages[42].state.image)
        let path = "\(place.cache(nil))/\(image.file)"
        try FileBytes.flipBit(of: path)

        let verified = try await RunningProgram.run(
            RunningProgram.built("storiesctl"), ["verify"], environment: ["STORIESD_SOCKET": place.socket])
        #expect(verified.end == .exited(0), "\(verified.errors)")
        let told = String(decoding: verified.output, as: UTF8.self)
        #expect(told == "Checked 1000 objects: 1 corrupt, 1 repaired.\n")
        #expect(ContentID.of(try FileBytes.read(path)) == image.contentID)
        #expect(try daemon.status().cache.corrupt == 1)
        let name = load.path(7, page: 42)
        try await daemon.wait("the origin has written its log") { try origin.requests(name).count == 2 }
        #expect(try origin.requests().count == 1001)
        try await expectSound(place)
    }

    @Test func `a byte that flips is found and mended without being asked for, also after a restart`() async throws {
        let origin = try await NginxOrigin()
        let load = try StoryLoad(stories: 2, pages: 2, origin: origin, sizes: 8_000...20_000)
        let place = try DaemonPlace()
        let first = try await DaemonProcess.ready(place)
        try load.drop(into: place)
        try await first.finished(payloads: 2)
        let image = try #require(try place.manifest(load.id(1))?.pages[1].state.image)
        #expect(try await first.terminate() == .exited(0))
        let path = "\(place.cache(nil))/\(image.file)"
        try FileBytes.flipBit(of: path)
        // What is read only once a week would otherwise have been read before.
        unlink("\(place.state)/scrub")
        let daemon = try await DaemonProcess.ready(place)
        try await daemon.wait("it is found and fetched again") {
            try daemon.status().cache.corrupt == 1 && origin.requests().count == 5
        }
        // Not by the manifest alone: it is ready before as well.
        try await daemon.wait("it is whole again") {
            (try? FileBytes.read(path)).map { ContentID.of($0) } == image.contentID
        }
        _ = try await daemon.manifest(load.id(1), that: "is ready") { $0.state == .ready }
        try await daemon.wait("all was read") { daemon.log.contains("looked through the cache: 1 of ") }
        try await expectSound(place)
    }
}
