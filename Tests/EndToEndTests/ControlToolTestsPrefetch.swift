import Glibc
import JSON
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

/// `storiesctl prefetch`, and what it draws on a terminal.
extension ControlToolTests {
    @Test func `prefetch --wait ends with 0, 5 or 3, and prints the settled manifest exactly with --json`() async throws
    {
        let origin = try ScriptedOrigin()
        origin.script("/a.png", .ok(SampleImages.png(seed: 1, bytes: 50_000)))
        origin.script("/none.png", .status("404 Not Found"))
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place)
        func file(_ id: String, _ images: [String]) throws -> String {
            let path = place.path("\(id).payload")
            try FileBytes.put(Payloads.story(id, images: images), at: path)
            return path
        }

        let whole = try await storiesctl(["prefetch", file("whole", [origin.url("/a.png")]), "--wait"], place)
        #expect(whole.end == .exited(0), "\(whole.errors)")
        #expect(
            String(decoding: whole.output, as: UTF8.self).hasPrefix("whole: ready, 1 of 1 page cached, 48.8 KiB, in "))
        #expect(!whole.output.contains(0x1B))

        let images = [origin.url("/a.png"), origin.url("/none.png")]
        let missing = try await storiesctl(
            ["prefetch", file("missing", images), "--wait=30", "--json", "--group", "shop"], place)
        #expect(missing.end == .exited(5))
        #expect(try missing.output == place.manifestBytes("missing", group: "shop"))

        let plain = try await storiesctl(["prefetch", file("plain", []), "--wait"], place)
        #expect(plain.end == .exited(0))
        #expect(String(decoding: plain.output, as: UTF8.self).contains("fallback"))

        origin.script("/hangs.png", ScriptedAnswer(.stall))
        let late = try await storiesctl(["prefetch", file("late", [origin.url("/hangs.png")]), "--wait=1"], place)
        #expect(late.end == .exited(5) && late.errors.contains("not settled within 1 s"))

        let input = try await RunningProgram.run(
            "/bin/sh", ["-c", #"exec "$0" prefetch - <"$1""#, RunningProgram.built("storiesctl"), file("input", [])],
            environment: ["STORIESD_SOCKET": place.socket])
        #expect(input.end == .exited(0) && String(decoding: input.output, as: UTF8.self).hasPrefix("Accepted input: "))

        let deleted = try await storiesctl(["delete", "whole"], place)
        #expect(deleted.end == .exited(0) && String(decoding: deleted.output, as: UTF8.self) == "Removed whole.\n")
        #expect(try await storiesctl(["delete", "whole"], place).end == .exited(4))
        let bad = try await storiesctl(["prefetch", RunningProgram.built("storiesctl"), "--wait"], place)
        #expect(bad.end == .exited(1))
        #expect(try await daemon.terminate() == .exited(0))
        #expect(try await storiesctl(["prefetch", file("nobody", []), "--wait"], place).end == .exited(3))
    }

    @Test(arguments: [(80, false), (30, true)])
    func `on a terminal each page has a bar while it loads, and only the summary stays`(
        columns: Int, isPlain: Bool
    ) async throws {
        let origin = try ScriptedOrigin()
        let picture = SampleImages.png(seed: 1, bytes: 200_000)
        let gate = try Gate()
        let head = ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(picture.count)")
        origin.script(
            "/slow.png",
            ScriptedAnswer(.bytes(head + picture[..<100_000]), .wait(gate), .bytes(Array(picture[100_000...]))))
        origin.script("/quick.png", .ok(SampleImages.png(seed: 2, bytes: 10_000)))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let path = place.path("payload")
        try FileBytes.put(
            Payloads.story("bars", images: [origin.url("/slow.png"), origin.url("/quick.png")]), at: path)

        let terminal = try PseudoTerminal(columns: columns, rows: 24)
        let tool = try terminal.start(
            RunningProgram.built("storiesctl"), ["prefetch", path, "--wait"],
            environment: ["STORIESD_SOCKET": place.socket, "NO_COLOR": isPlain ? "1" : ""])
        let screen: @Sendable () -> TerminalScreen = { terminal.screen(columns: columns) }
        try await daemon.wait("half of one page and all of the other are drawn") {
            let lines = screen().lines
            return lines.count == 3 && lines[1].contains("97.7 KiB") && lines[1].contains("=>")
                && lines[2].contains("=]") && lines[2].contains("9.8 KiB")
        }
        #expect(screen().lines[0] == "bars  1 of 2 pages")
        #expect(screen().hasColour == !isPlain)
        gate.open()
        #expect(try await tool.waitForEnd() == .exited(0))
        try await daemon.wait("the bars are gone") {
            screen().lines.joined().hasPrefix("bars: ready, 2 of 2 pages cached, 205.1 KiB, in ")
        }
        #expect(!screen().lines.joined().contains("[") && screen().unknown == [])
    }

    @Test(arguments: ["q", "Ctrl-C", "SIGTERM"])
    func `watch shows the daemon, follows the terminal's size and leaves it as it was`(end: String) async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let modes = try terminal.localModes()
        let tool = try terminal.start(
            RunningProgram.built("storiesctl"), ["watch"], environment: ["STORIESD_SOCKET": place.socket])
        let screen: @Sendable () -> TerminalScreen = { terminal.screen(columns: 80) }
        try await daemon.wait("the view is there") { screen().lines.first?.contains("running") == true }
        #expect(screen().isAlternate && screen().isCursorHidden)
        #expect(try terminal.localModes() != modes)
        try place.drop("a.json", Payloads.story("seen", images: []))
        try await daemon.wait("the story's events are shown") {
            screen().lines.contains { $0.contains("story.settled") && $0.contains("seen") }
        }
        try place.drop("b.json", Payloads.story("held", images: []))
        try await daemon.wait("the view goes on while a key is held down") {
            try terminal.type("x")
            return screen().lines.contains { $0.contains("held") }
        }
        try terminal.resize(columns: 20, rows: 24)
        // Drawn for the narrow one, no line is cut at twenty by the wide one.
        try await daemon.wait("the view is narrow") { screen().lines.allSatisfy { $0.count <= 20 } }
        switch end {
        case "q": try terminal.type("q")
        case "Ctrl-C": try terminal.type("\u{3}")
        default: tool.send(signal: SIGTERM)
        }
        #expect(try await tool.waitForEnd() == .exited(0), "\(terminal.output)")
        #expect(try terminal.localModes() == modes)
        try await daemon.wait("the terminal is as it was") {
            let screen = screen()
            return !screen.isAlternate && !screen.isCursorHidden && screen.lines == []
        }
        #expect(screen().unknown == [])
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends the waiting on a terminal, which keeps no bars of it`(
        signal: Int32
    ) async throws {
        let origin = try ScriptedOrigin()
        origin.script("/hangs.png", ScriptedAnswer(.stall))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try FileBytes.put(Payloads.story("bars", images: [origin.url("/hangs.png")]), at: place.path("payload"))
        let terminal = try PseudoTerminal()
        let tool = try terminal.start(
            RunningProgram.built("storiesctl"), ["prefetch", place.path("payload"), "--wait"],
            environment: ["STORIESD_SOCKET": place.socket])
        try await daemon.wait("the bar is drawn") { terminal.screen(columns: 80).lines.count == 2 }
        if signal == SIGINT { try terminal.type("\u{3}") } else { tool.send(signal: signal) }
        #expect(try await tool.waitForEnd() == .killed(by: signal))
        // What was typed is echoed.
        try await daemon.wait("the bar is gone") {
            terminal.screen(columns: 80).lines.allSatisfy { $0 == "" || $0 == "^C" }
        }
    }

    @Test func `watch ends although its terminal has been stopped, and leaves it as it was`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let terminal = try PseudoTerminal()
        let modes = try terminal.localModes()
        let tool = try terminal.start(
            RunningProgram.built("storiesctl"), ["watch"], environment: ["STORIESD_SOCKET": place.socket])
        let screen: @Sendable () -> TerminalScreen = { terminal.screen(columns: 80) }
        try await daemon.wait("the view is there") { screen().lines.first?.contains("running") == true }
        try terminal.type("\u{13}")
        // For longer than it takes until the view is drawn anew.
        let isStill = await eventually {
            let written = terminal.output.utf8.count
            return await !eventually(within: .milliseconds(1500)) { terminal.output.utf8.count > written }
        }
        #expect(isStill)
        tool.send(signal: SIGTERM)
        #expect(try await tool.waitForEnd(within: .seconds(10)) == .exited(0))
        #expect(try terminal.localModes() == modes)
        try await daemon.wait("the terminal is as it was") { !screen().isAlternate && !screen().isCursorHidden }
    }

    @Test func `watch can be stopped and goes on, gives the terminal back meanwhile, and outlives the daemon`()
        async throws
    {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let terminal = try PseudoTerminal()
        let modes = try terminal.localModes()
        let tool = try terminal.start(
            RunningProgram.built("storiesctl"), ["watch"], environment: ["STORIESD_SOCKET": place.socket])
        let screen: @Sendable () -> TerminalScreen = { terminal.screen(columns: 80) }
        try await daemon.wait("the view is there") { screen().lines.first?.contains("running") == true }
        try terminal.type("\u{1A}")
        try await daemon.wait("the terminal is as it was") {
            try !screen().isAlternate && !screen().isCursorHidden && terminal.localModes() == modes
        }
        tool.waitUntilStopped()
        tool.send(signal: SIGCONT)
        try await daemon.wait("the view is back") { screen().isAlternate && screen().lines.count > 3 }
        // One that stands still keeps nobody from leaving; nor does one that is gone.
        try await daemon.kill()
        #expect(
            await eventually { screen().lines.first?.hasPrefix("no daemon answers at ") == true })
        let next = try await DaemonProcess.ready(place)
        try await next.wait("the view is there again") { screen().lines.first?.contains("running") == true }
        try place.drop("a.json", Payloads.story("seen", images: []))
        try await next.wait("events are told again") { screen().lines.contains { $0.contains("seen") } }
        next.pause()
        try terminal.type("q")
        #expect(try await tool.waitForEnd() == .exited(0))
        next.proceed()
        #expect(try terminal.localModes() == modes)
    }

    @Test func `what changes groups and cache is answered, for programs exactly as by the socket`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let added = try await storiesctl(["groups", "add", "shop"], place)
        #expect(added.end == .exited(0) && String(decoding: added.output, as: UTF8.self).contains("is provisioned"))
        for (arguments, path) in [
            (["groups"], "/v1/groups"), (["config"], "/v1/config"),
            (["lookup", "http://a/b?c=d&e"], "/v1/media?url=http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e"),
        ] {
            let printed = try await storiesctl(arguments + ["--json"], place)
            #expect(printed.end == .exited(0))
            #expect(try await printed.output == curl(path, place), "\(arguments)")
            #expect(try await storiesctl(arguments, place).end == .exited(0))
        }
        for arguments in [["verify"], ["evict"], ["evict", "--to", "1G"], ["evict", "--older-than", "7d"]] {
            let printed = try await storiesctl(arguments + ["--json"], place)
            #expect(
                printed.end == .exited(0) && printed.output.first == UInt8(ascii: "{"),
                "\(arguments): \(printed.errors)")
            #expect(try await storiesctl(arguments, place).end == .exited(0))
        }
        let metrics = try await storiesctl(["metrics"], place)
        #expect(String(decoding: metrics.output, as: UTF8.self).hasPrefix("# HELP storiesd_"))
        #expect(try await daemon.terminate() == .exited(0))
    }
}
