import ControlAPI
import Stories
import TestSupport
import Testing

/// A disk that hangs: fsync(2) does not return, by a preloaded library.
@Suite(.timeLimit(.minutes(1))) struct HangingDiskTests {
    private static let source = """
        #include <stdlib.h>
        #include <unistd.h>
        static int hangs(void) {
            while (access(getenv("HANGS"), F_OK) == 0) usleep(10000);
            return 0;
        }
        int fsync(int file) { (void)file; return hangs(); }
        int fdatasync(int file) { (void)file; return hangs(); }
        """

    @Test func `the end comes in time, health is told, and the payload is there afterwards`() async throws {
        let place = try DaemonPlace()
        let library = try await PreloadedLibrary(Self.source)
        let flag = place.path("hangs")
        let daemon = try await DaemonProcess.ready(
            place, environment: library.environment.merging(["HANGS": flag]) { $1 })
        try FileBytes.put([], at: flag)
        try place.drop("a.json", Array(#"{"p": "a", "aps": {"alert": "Hello"}}"#.utf8))
        try await daemon.wait("it is claimed") { try place.names("\(place.inbox)/.claimed").count == 1 }
        #expect(try daemon.answer(.health).status == 200)
        #expect(try await daemon.terminate() == .exited(0))

        let second = try await DaemonProcess.ready(place)
        #expect(try await second.settled("a").state == .fallback)
    }
}
