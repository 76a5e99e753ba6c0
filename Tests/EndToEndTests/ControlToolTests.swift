import Platform
import ControlAPI
import Stories
import JSON
import TestSupport
import Testing

/// storiesctl, asking a running daemon.
struct ControlToolTests {
    @Test func `with --json it prints what the socket answers, byte for byte`() async throws {
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place)
        for id in ["a", "b", "c"] { try place.drop("\(id).json", Payloads.story(id, images: []), group: "shop") }
        try place.drop("a.json", Payloads.story("a", images: []))
        try await daemon.finished(payloads: 4)

        let questions = [
            (["list"], "/v1/stories"),
            (["list", "--group", "shop", "--state", "fallback"], "/v1/stories?group=shop&state=fallback"),
            (["show", "b"], "/v1/stories/b"), (["show", "a", "--group", "shop"], "/v1/stories/a?group=shop"),
            (["show", "a", "--group="], "/v1/stories/a?group="),
        ]
        for (arguments, path) in questions {
            let printed = try await storiesctl(arguments + ["--json"], place)
            #expect(printed.end == .exited(0), "\(arguments): \(printed.errors)")
            #expect(try await printed.output == curl(path, place), "\(arguments)")
            #expect(printed.errors == "")
        }
        #expect(try await curl("/v1/stories/b", place) == place.manifestBytes("b", group: "shop"))
        // Its uptime may tick between the two questions.
        #expect(
            try await eventually {
                try await storiesctl(["status", "--json"], place).output == curl("/v1/status", place)
            })
    }

    @Test func `people are told of stories in tables, without colour in a pipe`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: []))
        try await daemon.finished(payloads: 1)
        for arguments in [["status"], ["list"], ["show", "a"]] {
            let printed = try await storiesctl(arguments, place)
            #expect(printed.end == .exited(0), "\(arguments): \(printed.errors)")
            let text = String(decoding: printed.output, as: UTF8.self)
            #expect(text.contains("fallback") && !text.contains("\u{1b}"), "\(arguments)")
        }
        let shown = try await storiesctl(["show", "a"], place)
        #expect(String(decoding: shown.output, as: UTF8.self).contains("\(place.cache(nil))/stories/a/manifest.json"))
    }

    @Test func `what cannot be printed is a failure, and what is not wanted is printed nowhere`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        for arguments in ["status", "status --json", "metrics", "groups", "watch --json", "watch"] {
            let program = try RunningProgram(
                "/bin/sh", ["-c", "exec \"$0\" \(arguments) >/dev/full", RunningProgram.built("storiesctl")],
                environment: ["STORIESD_SOCKET": place.socket])
            // Something for `watch` to print, once it listens.
            let hasEnded = try await eventually {
                try place.drop("a.json", Array(#"{"aps": {"alert": "\#(Timestamp.now())"}}"#.utf8))
                return program.end != nil
            }
            #expect(hasEnded && program.end == .exited(1), "\(arguments)")
            #expect(program.errors == "storiesctl: write standard output: No space left on device\n")
        }
        #expect(try daemon.answer(.health).status == 200)
        let closed = try await RunningProgram.run(
            "/bin/sh", ["-c", #"exec "$0" status >&-"#, RunningProgram.built("storiesctl")],
            environment: ["STORIESD_SOCKET": place.socket])
        #expect(closed.end == .exited(0) && closed.errors == "")
    }

    @Test func `its exit status says what went wrong`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let unknown = try await storiesctl(["show", "nobody"], place)
        #expect(unknown.end == .exited(4) && unknown.errors.contains("nobody"))
        let answer = try await storiesctl(["show", "nobody", "--json"], place)
        #expect(answer.end == .exited(4))
        #expect(try await answer.output == curl("/v1/stories/nobody", place))
        let wrong = try await storiesctl(["stauts"], place)
        #expect(wrong.end == .exited(2) && wrong.errors.contains("status"))
        let flag = try await storiesctl(["list", "--jsn"], place)
        #expect(flag.end == .exited(2) && flag.errors.contains("--json"))
        #expect(try await storiesctl([], place).end == .exited(2))
        for arguments in [["--help"], ["-h"], ["--version"]] {
            #expect(try await storiesctl(arguments, place).end == .exited(0))
        }
        #expect(try await daemon.terminate() == .exited(0))
        let unreachable = try await storiesctl(["status"], place)
        #expect(unreachable.end == .exited(3) && unreachable.errors.contains(place.socket))
        #expect(unreachable.output == [])
    }

    func storiesctl(_ arguments: [String], _ place: DaemonPlace) async throws -> RunningProgram {
        try await RunningProgram.run(
            RunningProgram.built("storiesctl"), arguments, environment: ["STORIESD_SOCKET": place.socket])
    }

    func curl(_ path: String, _ place: DaemonPlace) async throws -> [UInt8] {
        let arguments = ["--silent", "--unix-socket", place.socket, "http://localhost\(path)"]
        return try await RunningProgram.run("/usr/bin/curl", arguments).output
    }
}
