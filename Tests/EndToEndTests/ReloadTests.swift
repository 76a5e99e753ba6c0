import ControlAPI
import Foundation
import Glibc
import Stories
import TestOrigins
import TestSupport
import Testing

/// What SIGHUP does.
struct ReloadTests {
    private let place: DaemonPlace

    init() throws {
        place = try DaemonPlace()
    }

    private var file: String { place.path("storiesd.json5") }

    /// Writes the configuration: the place's own keys, but for `changes`, and `more` of them.
    private func configure(_ changes: [String: String] = [:], _ more: String = "") throws {
        let places = place.settings.merging(changes) { $1 }.map { "\($0): '\($1)'," }.joined(separator: "\n")
        try FileBytes.put(Array("{\n\(places)\n\(more)\n}\n".utf8), at: file)
    }

    private func reload(_ daemon: DaemonProcess, said text: String, times: Int = 1) async throws {
        daemon.reload()
        try await daemon.wait("the log says \"\(text)\"") { daemon.log.components(separatedBy: text).count > times }
    }

    @Test func `a good change takes effect, and keys that need a restart keep their values and are named`() async throws
    {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        try configure()
        let daemon = try DaemonProcess(place, configurationFile: file)
        try await daemon.waitUntilReady()
        try place.drop("denied.json", Payloads.story("denied", images: [origin.url("/a")]))
        #expect(try await daemon.settled("denied").pages[0].state.error?.code == .addressDenied)

        let allowed = "network: {allowed_addresses: ['127.0.0.1']}, cache: {max_bytes: 1048576},"
        try configure(["inbox": place.path("other")], allowed)
        for times in 1...2 {
            try await reload(daemon, said: "a restart is needed for inbox\n", times: times)
            let status = try daemon.status()
            #expect(status.inbox.path == place.inbox && status.cache.maxBytes == 1_048_576)
        }
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]))
        #expect(try await daemon.settled("a").state == .ready)
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test(arguments: ["network: {per_host: 0},", "network: ]", "nonsense: 1,"])
    func `a bad file is refused and said, and the old configuration stays`(more: String) async throws {
        try configure([:], "cache: {max_bytes: 2097152},")
        let daemon = try DaemonProcess(place, configurationFile: file)
        try await daemon.waitUntilReady()
        try configure([:], "cache: {max_bytes: 1048576}, \(more)")
        try await reload(daemon, said: "the configuration is refused, the old one stays: \(file)")
        #expect(try daemon.status().cache.maxBytes == 2_097_152)
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test func `of every key a reload takes the new value, or names it as one that needs a restart`() async throws {
        let origin = try ScriptedOrigin()
        for path in ["/png", "/jpeg"] { origin.script(path, .ok(SampleImages.png(seed: path.count))) }
        try configure()
        let daemon = try DaemonProcess(place, configurationFile: file)
        try await daemon.waitUntilReady()
        let elsewhere = place.settings.mapValues { "\($0)-2" }
        try configure(elsewhere, try await everythingElse())
        try await reload(daemon, said: "configuration read again; a restart is needed for ")
        let line = try #require(daemon.log.split(separator: "\n").last { $0.contains("a restart is needed for ") })
        #expect(line.hasSuffix(" for \(try restartingKeys().joined(separator: ", "))"), "\(line)")
        // Nothing has moved: the socket answers, and the inbox is the old one.
        #expect(try daemon.status().inbox.path == place.inbox)

        let images = ["/png?token=1", "/png?token=2", "/jpeg"].map { origin.url($0) }
        try place.drop("a.json", Payloads.story("a", images: images))
        let manifest = try await daemon.settled("a", group: "shop")
        #expect(manifest.state == .ready && manifest.pages.count == 2)
        #expect(manifest.skipped.map(\.code) == [.tooManyPages])
        let request = try #require(origin.requests.first)
        #expect(origin.requests.count == 1)
        #expect(request.header("User-Agent") == "kiosk" && request.header("Accept")?.contains("jpeg") == false)
        #expect(try place.names("\(place.inbox)/.processed").count == 1)
        #expect(try daemon.status().cache.maxBytes == 65_536)
        #expect(try await daemon.terminate() == .exited(0))
    }

    /// Every key that is no place, with a value that is not its default.
    private func everythingElse() async throws -> String {
        """
        app_group: 'shop', socket_writers: [1], inbox_rescan: 1, keep_processed: true, story_deadline: 5,
        log_level: 'debug', metrics_textfile: '\(place.path("metrics.prom"))',
        network: {
            concurrency: 2, per_host: 3, connect_timeout: 1, stall_timeout: 2, page_timeout: 3, max_attempts: 5,
            retry_base: 0.01, retry_cap: 7, retry_horizon: 0, max_redirects: 0, max_bytes_per_second: 9000000,
            allow_http: true, allowed_addresses: ['127.0.0.1'], headers: {'a.example': {A: 'b'}}, proxy: null,
            user_agent: 'kiosk', ca_file: '\(try await TestAuthority.shared().certificateFile)',
        },
        limits: {
            payload_bytes: 10000, pages: 2, url_bytes: 100, image_bytes: 10000, image_pixels: 100, image_types: ['png'],
        },
        cache: {
            max_bytes: 65536, min_free_bytes: 0, min_free_inodes: 0, story_max_age: 1000, max_stories: 10,
            ignore_query_parameters: ['token'], durability: 'relaxed',
        },
        """
    }

    /// The keys that the example of a configuration says need a restart.
    private func restartingKeys() throws -> [String] {
        let example = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../config/storiesd.json5")
        let lines = try String(contentsOf: example, encoding: .utf8).components(separatedBy: "\n")
        return zip(lines, lines.dropFirst()).filter { $0.0.hasSuffix("; needs a restart") }.map { _, key in
            String(key.trimmingCharacters(in: .whitespaces).prefix { $0 != ":" })
        }
    }

    @Test func `a renewed ca_file is trusted soon after, and one that is gone is refused with the file`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a")
        let trusted = place.path("ca.pem")
        let directory = try TemporaryDirectory()
        try await TestAuthority.make("Another authority", at: trusted, key: directory.path("key.pem"))
        let trust = "network: {allowed_addresses: ['127.0.0.1'], max_attempts: 1, ca_file: '\(trusted)'},"
        try configure([:], trust)
        let daemon = try DaemonProcess(place, configurationFile: file)
        try await daemon.waitUntilReady()
        try place.drop("0.json", Payloads.story("s0", images: [origin.secureURL("/a", host: "127.0.0.1")]))
        #expect(try await daemon.settled("s0").pages[0].state.error?.code == .tls)

        #expect(unlink(trusted) == 0)
        try await reload(daemon, said: "the configuration is refused, the old one stays: \(file)")
        #expect(daemon.log.contains("network.ca_file: \(trusted) cannot be read"))

        try FileBytes.put(try FileBytes.read(try await TestAuthority.shared().certificateFile), at: trusted)
        try await reload(daemon, said: "configuration read again\n")
        var state = StoryState.failed
        for number in 1...1000 where state != .ready {
            let id = "s\(number)"
            try place.drop("\(id).json", Payloads.story(id, images: [origin.secureURL("/a", host: "127.0.0.1")]))
            state = try await daemon.settled(id).state
        }
        #expect(state == .ready)
    }
}
