import ControlAPI
import Foundation
import Glibc
import JSON
import Stories
import TestOrigins
import TestSupport
import Testing

/// What other users may do over the socket. Only root can become one of them.
@Suite(.enabled(if: getuid() == 0, "only root can speak as another user")) struct PeerTests {
    private static let stranger = "65534"

    /// The answer that curl gets as user 65534 in group 0, which may open the socket: its status and its body.
    private func ask(_ place: DaemonPlace, _ arguments: String...) async throws -> (status: Int, body: String) {
        let program = try await RunningProgram.run(
            "/usr/bin/setpriv",
            ["--reuid=\(Self.stranger)", "--regid=0", "--clear-groups", "curl", "--silent", "--max-time", "10"]
                + ["--write-out", "\n%{http_code}", "--unix-socket", place.socket] + arguments)
        let lines = String(decoding: program.output, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    private func open(_ place: DaemonPlace) { #expect(chmod(place.path(""), 0o755) == 0) }

    @Test func `another user may read and not change, unless it is one of the writers`() async throws {
        let place = try DaemonPlace()
        open(place)
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Array(#"{"p": "a", "aps": {"alert": "Hello"}}"#.utf8))
        _ = try await daemon.settled("a")
        let delete = ["--request", "DELETE", "http://localhost/v1/stories/a"]
        #expect(try await ask(place, "http://localhost/v1/status").status == 200)
        #expect(try await ask(place, delete[0], delete[1], delete[2]).status == 403)
        #expect(try await ask(place, "--json", #"{"id": "new"}"#, "http://localhost/v1/groups").status == 403)
        #expect(try await daemon.terminate() == .exited(0))

        let second = try await DaemonProcess.ready(place, ["socket_writers=[\(Self.stranger)]"])
        #expect(try await ask(place, "--json", #"{"id": "new"}"#, "http://localhost/v1/groups").status == 201)
        #expect(try place.names("\(place.groups)") == ["new"])
        #expect(try await ask(place, delete[0], delete[1], delete[2]).status == 200)
        #expect(try place.manifest("a") == nil)
        #expect(try await ask(place, delete[0], delete[1], delete[2]).status == 404)
        #expect(try await second.terminate() == .exited(0))
    }

    @Test func `who may write to the inbox may hand in a story, and nobody else`() async throws {
        let place = try DaemonPlace()
        open(place)
        let daemon = try await DaemonProcess.ready(place)
        let story = ["--json", #"{"p": "a", "aps": {"alert": "Hello"}}"#, "http://localhost/v1/stories?wait=5"]
        #expect(chmod(place.inbox, 0o700) == 0)
        #expect(try await ask(place, story[0], story[1], story[2]).status == 403)
        #expect(chmod(place.inbox, 0o770) == 0)
        let answer = try await ask(place, story[0], story[1], story[2])
        #expect(answer.status == 200)
        #expect(try Manifest(bytes: Array(answer.body.utf8)).settled)
        #expect(try place.manifest("a")?.state == .fallback)
        _ = daemon
    }

    @Test func `of stories one sees those whose container's group one belongs to`() async throws {
        let place = try DaemonPlace()
        open(place)
        try place.provision("shown")
        let hidden = try place.provision("hidden")
        #expect(chown(hidden, 0, 12_345) == 0)
        let daemon = try await DaemonProcess.ready(place)
        for group in ["shown", "hidden"] {
            try place.drop("a.json", Array(#"{"p": "\#(group)", "aps": {"alert": "Hello"}}"#.utf8), group: group)
            _ = try await daemon.settled(group, group: group)
        }
        let list = try await ask(place, "http://localhost/v1/stories")
        #expect(list.status == 200 && list.body.contains(#""id":"shown""#) && !list.body.contains("hidden"))
        #expect(try await ask(place, "http://localhost/v1/stories/shown").status == 200)
        #expect(try await ask(place, "http://localhost/v1/stories/hidden").status == 404)
        #expect(try daemon.answer(.story(id: "hidden", group: nil)).status == 200)
    }

    @Test func `of a picture one is told which of these hold it, and may not have it verified or removed`() async throws
    {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        let place = try DaemonPlace()
        open(place)
        try place.provision("shown")
        #expect(chown(try place.provision("hidden"), 0, 12_345) == 0)
        let daemon = try await DaemonProcess.ready(place)
        for group in ["shown", "hidden"] {
            try place.drop("a.json", Payloads.story(group, images: [origin.url("/a")]), group: group)
            _ = try await daemon.settled(group, group: group)
        }
        let media = try await ask(place, "http://localhost/v1/media?url=\(PercentEncoding.encode(origin.url("/a")))")
        #expect(media.status == 200 && media.body.contains(#""groups":["shown"]"#))
        #expect(media.body.contains(#"[{"id":"shown","group":"shown"}]"#) && !media.body.contains("hidden"))
        #expect(try await ask(place, "--request", "POST", "http://localhost/v1/verify").status == 403)
        #expect(try await ask(place, "--json", #"{"to_bytes": 0}"#, "http://localhost/v1/evict").status == 403)
        #expect(try daemon.status().cache.objects == 2)
    }
}
