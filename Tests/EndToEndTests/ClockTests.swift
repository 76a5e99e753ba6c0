import Foundation
import TestOrigins
import TestSupport
import Testing

/// A wall clock that is wrong.
@Suite(.timeLimit(.minutes(3))) struct ClockTests {
    /// C functions that read the wall clock, so many seconds ahead as the environment says.
    private static let source = """
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <time.h>

        static long ahead(void) {
            const char *text = getenv("CLOCK_AHEAD");
            return text ? atol(text) : 0;
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            int (*next)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
            int result = next(clock, time);
            if (clock == CLOCK_REALTIME && result == 0) time->tv_sec += ahead();
            return result;
        }
        """
    private static let years = 10 * 365 * 86_400

    private func environment(_ library: PreloadedLibrary, ahead seconds: Int) -> [String: String] {
        library.environment.merging(["CLOCK_AHEAD": "\(seconds)"]) { $1 }
    }

    @Test func `a restart with a clock ten years ahead, and another with it put right, cost no story`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        let clock = try await PreloadedLibrary(Self.source)
        let place = try DaemonPlace()
        let ids = (10..<15).map { "story-\($0)" }
        let first = try await DaemonProcess.ready(place)
        for id in ids {
            try place.drop("\(id).json", Payloads.story(id, images: [origin.url("/a")]))
            _ = try await first.settled(id)
        }
        #expect(try await first.terminate() == .exited(0))
        let second = try await DaemonProcess.ready(place, environment: environment(clock, ahead: Self.years))
        try place.drop("ahead.json", Payloads.story("ahead", images: [origin.url("/a")]))
        _ = try await second.settled("ahead")
        try await second.wait("latest.json names it") { try latest(place).contains("ahead") }
        #expect(try await second.terminate() == .exited(0))
        #expect(try place.stories() == (["ahead"] + ids).sorted(), "\(second.log)")
        // What came by the wrong clock goes for its age.
        let third = try await DaemonProcess.ready(place)
        try await third.wait("the story of the wrong clock goes, and latest.json names the newest other") {
            try place.stories() == ids && latest(place).contains("story-14")
        }
        #expect(try await third.terminate() == .exited(0))
    }

    @Test func `where no time was kept, stories tell it`() async throws {
        let clock = try await PreloadedLibrary(Self.source)
        let place = try DaemonPlace()
        // It is kept even where no story goes for its age.
        let first = try await DaemonProcess.ready(place, ["cache.story_max_age=0"])
        for id in ["a", "b"] {
            try place.drop("\(id).json", Payloads.story(id, images: []))
            _ = try await first.settled(id)
        }
        #expect(try await first.terminate() == .exited(0))
        try FileManager.default.removeItem(atPath: "\(place.state)/clock")
        let second = try await DaemonProcess.ready(
            place, ["cache.max_stories=1"], environment: environment(clock, ahead: Self.years))
        // Those that are too many go after those that are too old.
        try await second.wait("one of two goes") { second.log.contains("one more than cache.max_stories") }
        #expect(try await second.terminate() == .exited(0))
        #expect(try place.stories() == ["b"], "\(second.log)")
    }

    private func latest(_ place: DaemonPlace) throws -> String {
        String(decoding: try FileBytes.read("\(place.cache(nil))/latest.json"), as: UTF8.self)
    }
}
