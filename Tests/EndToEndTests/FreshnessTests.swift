import ControlAPI
import Stories
import TestSupport
import Testing

/// What a second story with the same pictures costs its origin.
@Suite(.timeLimit(.minutes(3))) struct FreshnessTests {
    @Test func `the same pictures cost no request while fresh, then only 304s, and serve where the origin is down`()
        async throws
    {
        let origin = try await NginxOrigin()
        // nginx gives those below /load/ a day, and the others what their age gives: a second.
        let lasting = (0..<4).map { "/load/\($0)" }
        let brief = (0..<4).map { "/\($0)" }
        for (number, path) in (lasting + brief).enumerated() {
            try origin.serve(SampleImages.jpeg(seed: number, bytes: 100_000), at: path)
        }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["network.retry_base=0.01"])
        func sources(_ id: String, _ paths: [String]) async throws -> [PageSource?] {
            try place.drop("\(id).json", Payloads.story(id, images: paths.map { origin.url($0) }))
            let manifest = try await daemon.settled(id)
            #expect(manifest.state == .ready, "\(daemon.log)")
            return manifest.pages.map(\.state.image?.source)
        }
        func answered(_ count: Int) async throws -> [NginxOrigin.Request] {
            try await daemon.wait("the origin has written its log") { try origin.requests().count >= count }
            return try origin.requests()
        }
        func waitUntilStale() async throws {
            for path in brief {
                try await daemon.wait("\(path) is stale") {
                    let answer = try daemon.answer(.media(origin.url(path)))
                    return String(decoding: answer.body, as: UTF8.self).contains("\"state\":\"stale\"")
                }
            }
        }

        let all = lasting + brief
        #expect(try await sources("first", all) == all.map { _ in .network })
        #expect(try await answered(8).map(\.status) == all.map { _ in 200 })
        #expect(try await sources("fresh", lasting) == lasting.map { _ in .cache })

        try await waitUntilStale()
        #expect(try await sources("asked", brief) == brief.map { _ in .revalidated })
        let asked = try await answered(12).dropFirst(8)
        #expect(asked.map(\.path).sorted() == brief && asked.allSatisfy { $0.status == 304 && $0.bytes < 1024 })
        #expect(try daemon.status().cache.revalidated == 4)

        try await waitUntilStale()
        try await origin.stop()
        #expect(try await sources("stale", brief) == brief.map { _ in .stale })
        #expect(try origin.requests().count == 12)
        try await expectSound(place)
    }
}
