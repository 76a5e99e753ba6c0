import ControlAPI
import Foundation
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
}
