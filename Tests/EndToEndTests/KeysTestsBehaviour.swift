import ControlAPI
import Glibc
import Stories
import TestOrigins
import TestSupport
import Testing

/// The keys that stand in no section.
struct KeysTestsBehaviour {
    @Test func `each place is where the configuration says`() async throws {
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: []), group: "shop")
        try place.drop("b.json", Payloads.story("b", images: []))
        try await daemon.finished(payloads: 2)
        #expect(try daemon.status().inbox.path == place.inbox)
        #expect(try place.inboxFiles() == [])
        #expect(try place.names("\(place.groups)/shop/pw_stories_cache/stories") == ["a"])
        #expect(try place.names("\(place.fallbackDirectory)/_/pw_stories_cache/stories") == ["b"])
        #expect(try !place.names(place.state).isEmpty)
        #expect(access(place.socket, F_OK) == 0)
    }

    @Test func `where no events come a payload is found by the next rescan`() async throws {
        // Of a watched directory only its end is told: so it is on file systems that are changed elsewhere.
        let silence = try await PreloadedLibrary(
            """
            #include <dlfcn.h>
            #include <stdint.h>
            #include <sys/inotify.h>

            int inotify_add_watch(int inotify, const char *path, uint32_t mask) {
                int (*next)(int, const char *, uint32_t) = dlsym(RTLD_NEXT, "inotify_add_watch");
                return next(inotify, path, (mask & ~IN_ALL_EVENTS) | IN_DELETE_SELF);
            }
            """)
        let places = [try DaemonPlace(), try DaemonPlace()]
        let often = try await DaemonProcess.ready(
            places[0], ["inbox_rescan=0.1"], environment: silence.environment)
        let rarely = try await DaemonProcess.ready(places[1], environment: silence.environment)
        for place in places { try place.drop("a.json", Payloads.story("a", images: [])) }
        _ = try await often.settled("a")
        let rescans = try often.status().inbox.rescans
        try await often.wait("it has looked again and again") { try often.status().inbox.rescans >= rescans + 5 }
        #expect(try rarely.status().inbox.accepted == 0)
        #expect(try places[1].inboxFiles() == ["a.json"])
    }

    @Test(arguments: [false, true])
    func `accepted payloads are kept where that is wanted`(isKept: Bool) async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["keep_processed=\(isKept)"])
        let payload = Payloads.story("a", images: [])
        try place.drop("a.json", payload, group: "shop")
        try await daemon.finished(payloads: 1)
        let files = try place.inboxFiles()
        #expect(files.count == (isKept ? 1 : 0) && files.allSatisfy { $0.hasPrefix(".processed/") }, "\(files)")
        for file in files { #expect(try FileBytes.read("\(place.inbox)/\(file)") == payload) }
    }

    @Test func `a story settles at its deadline`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", ScriptedAnswer(.stall))
        let manifest = try await settledStory([origin.url("/a")], ["story_deadline=0.3"])
        #expect(manifest.state == .failed)
        // By default it would be 25 seconds, or 15 until the origin is given up for the first time.
        #expect(manifest.age >= .milliseconds(300) && manifest.age < .seconds(10))
    }

    @Test(arguments: ["error", "warning", "info", "debug"])
    func `what is less urgent than the level is not logged`(level: String) async throws {
        let place = try DaemonPlace()
        let keys = place.settings.merging(["log_level": level]) { $1 }.map { "\($0): '\($1)'" }
        let file = place.path("storiesd.json5")
        try FileBytes.put(Array("{\(keys.joined(separator: ", "))}".utf8), at: file)
        let daemon = try DaemonProcess(place, configurationFile: file)
        try await daemon.waitUntilReady()
        // In turn: what is logged to debug, to warn of and as an error; to inform it has logged its start.
        _ = try await RunningProgram.run(
            "/usr/bin/curl",
            ["-s", "--unix-socket", place.socket, "-H", "Origin: http://a.example", "http://localhost/v1/status"])
        try place.drop("a.json", Payloads.story("a", images: []), group: "elsewhere")
        try await daemon.finished(payloads: 1)
        try FileBytes.put(Array("nonsense".utf8), at: file)
        daemon.reload()
        try await daemon.wait("an error is logged") { daemon.log.contains("is refused, the old one stays") }
        let levels = ["error", "warning", "info", "debug"]
        let logged = levels.filter { daemon.log.contains("storiesd: \($0): ") }
        #expect(logged == Array(levels.prefix { $0 != level }) + [level], "\(daemon.log)")
    }
}
