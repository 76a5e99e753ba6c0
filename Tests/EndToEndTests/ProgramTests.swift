import Platform
import ControlAPI
import Glibc
import JSON
import Stories
import TestSupport
import Testing
import TestOrigins

/// How storiesd starts and ends.
struct ProgramTests {
    @Test func `a second daemon on the same state ends with 75, and the first goes on`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        let place = try DaemonPlace()
        let first = try await DaemonProcess.ready(place)
        let second = try DaemonProcess(place)
        #expect(try await second.waitForEnd() == .exited(75), "\(String(describing: second.end)): \(second.log)")
        let other = try DaemonProcess(place, ["socket=\(place.path("other.sock"))", "inbox=\(place.path("other"))"])
        #expect(try await other.waitForEnd() == .exited(75))
        #expect(other.log.contains(place.state))

        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]))
        #expect(try await first.settled("a").state == .ready)
        #expect(try first.answer(.health).status == 200)
    }

    @Test func `SIGTERM ends it within five seconds, with a transfer in flight`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", ScriptedAnswer(.bytes(ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: 9")), .stall))
        origin.script("/b", ScriptedAnswer(.stall))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a"), origin.url("/b")]))
        try await daemon.wait("both requests are under way") { origin.requests.count == 2 }
        #expect(try await daemon.terminate() == .exited(0))
        #expect(access(place.socket, F_OK) != 0)
        #expect(try place.manifest("a")?.state == .prefetching)
        // The next start goes on from there.
        origin.script("/a", .ok(SampleImages.png(seed: 1)))
        origin.script("/b", .ok(SampleImages.png(seed: 2)))
        let next = try await DaemonProcess.ready(place)
        #expect(try await next.settled("a").state == .ready)
        try await expectSound(place)
    }

    @Test func `SIGTERM ends it within five seconds, in a payload of thousands of stories and at the next start`()
        async throws
    {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let notifications = (0..<7000).map { #"{"content": "\#($0)"}"# }.joined(separator: ",")
        try place.drop("all.json", Array(#"{"request": {"notifications": [\#(notifications)]}}"#.utf8))
        try await daemon.wait("some of them are accepted") { try daemon.status().stories.fallback >= 500 }
        #expect(try await daemon.terminate() == .exited(0))
        let accepted = try place.stories().count
        #expect(accepted < 7000)
        #expect(try place.inboxFiles().count == 1, "the payload stays claimed")
        // Ended while it takes up what is there, or a moment later.
        let next = try DaemonProcess(place)
        try await next.wait("it answers") { (try? next.status()) != nil }
        #expect(try await next.terminate() == .exited(0))
        #expect(try place.inboxFiles().count == 1)
    }

    @Test func `SIGINT right after the start ends it as well`() async throws {
        let place = try DaemonPlace()
        let daemon = try DaemonProcess(place)
        try await daemon.wait("it has begun") { daemon.log.contains("starts") }
        daemon.interrupt()
        #expect(try await daemon.waitForEnd() == .exited(0))
    }

    @Test(arguments: [
        (["--set", "network.concurrency=NaN"], "network.concurrency"),
        (["--set", "network.concurency=4"], "network.concurrency"),
        (["--set", "inbox=relative"], "inbox"), (["--config", "/nowhere/storiesd.json5"], "/nowhere/storiesd.json5"),
        (["--check-config", "--set", "cache.durability=lax"], "cache.durability"),
    ])
    func `a bad configuration ends with 78 and names what is wrong`(arguments: [String], named: String) async throws {
        let program = try await storiesd(arguments)
        #expect(program.end == .exited(78))
        #expect(program.errors.contains(named))
        #expect(program.output == [])
    }

    @Test func `a syntax error of the configuration file is told by line and column`() async throws {
        let place = try DaemonPlace()
        try FileBytes.put(
            Array("{\n  // a comment\n  inbox: \"/x\",\n  socket: ]\n}\n".utf8), at: place.path("c.json5"))
        let program = try await storiesd(["--config", place.path("c.json5"), "--check-config"])
        #expect(program.end == .exited(78))
        #expect(program.errors.contains("line 4") && program.errors.contains("column 11"))
    }

    @Test(arguments: [
        (["--confg", "x"], "--config"), (["serve"], "serve"), (["--set"], "KEY=VALUE"), (["--config"], "FILE"),
    ])
    func `a wrong command line ends with 2 and a hint`(arguments: [String], hint: String) async throws {
        let program = try await storiesd(arguments)
        #expect(program.end == .exited(2))
        #expect(program.errors.contains(hint))
        #expect(program.output == [])
    }

    @Test func `version, help and the effective configuration are printed`() async throws {
        let version = try await storiesd(["--version"])
        #expect(version.end == .exited(0))
        let words = String(decoding: version.output, as: UTF8.self).split(separator: " ")
        #expect(words.first == "storiesd" && words.count == 2)
        for flag in ["--help", "-h"] {
            let help = try await storiesd([flag])
            #expect(help.end == .exited(0))
            #expect(String(decoding: help.output, as: UTF8.self).hasPrefix("Usage: storiesd"))
        }
        let arguments = [
            "--print-config", "--set", "network.per_host=4", "--set", "network.proxy=http://me:secret@p:1",
        ]
        let printed = try await storiesd(arguments)
        #expect(printed.end == .exited(0))
        #expect(!String(decoding: printed.output, as: UTF8.self).contains("secret"))
        let configuration = try #require(try JSONParser.parse(printed.output).objectValue)
        #expect(try configuration.object("network").integer("per_host") == 4)
        #expect(try configuration.object("limits").integer("pages") == 100)
        #expect(try await storiesd(["--check-config"]).end == .exited(0))
    }

    @Test(arguments: [
        ("storiesd", "--help"), ("storiesd", "--version"), ("storiesd", "--print-config"), ("storiesctl", "--help"),
        ("storiesctl", "--version"),
    ])
    func `what cannot be printed is a failure, and told`(name: String, flag: String) async throws {
        let program = try await RunningProgram.run(
            "/bin/sh", ["-c", #"exec "$0" "$1" >/dev/full"#, RunningProgram.built(name), flag])
        #expect(program.end == .exited(1))
        #expect(program.errors == "\(name): write standard output: No space left on device\n")
    }

    @Test(arguments: ["inbox", "state_directory", "socket"])
    func `a place that cannot be made ends it with 1 and the reason`(key: String) async throws {
        let place = try DaemonPlace()
        try FileBytes.put([], at: place.path("file"))
        let daemon = try DaemonProcess(place, ["\(key)=\(place.path("file/below"))"])
        #expect(try await daemon.waitForEnd() == .exited(1))
        #expect(daemon.log.contains(place.path("file")) && daemon.log.contains("Not a directory"))
    }

    private func storiesd(_ arguments: [String]) async throws -> RunningProgram {
        try await RunningProgram.run(RunningProgram.built("storiesd"), arguments)
    }
}
