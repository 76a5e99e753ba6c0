import ControlAPI
import Foundation
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import ControlTool

@Suite("storiesctl against a server", .timeLimit(.minutes(1)))
struct ToolTests {
    struct Outcome {
        let status: ExitCode
        let output: String
        let complaints: [String]
        var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    }

    let served: ServedSocket

    init() throws {
        served = try ServedSocket()
    }

    private func run(_ arguments: String..., socket: String? = nil) async throws -> Outcome {
        let path = socket ?? served.path
        return try await offPool {
            var output: [UInt8] = []
            var complaints: [String] = []
            let now = Timestamp("2026-01-02T03:07:10.000Z") ?? .now()
            let tool = Tool(
                Surroundings(isTerminal: false, isRoot: true, variables: ["STORIESD_SOCKET": path], now: now),
                print: { output += $0 }, complain: { complaints.append($0) })
            let status = tool.run(arguments)
            return Outcome(
                status: status, output: String(decoding: output, as: UTF8.self), complaints: complaints)
        }
    }

    @Test("The status is told in lines that fit a terminal")
    func status() async throws {
        let outcome = try await run("status")
        #expect(outcome.status == .done)
        #expect(outcome.lines.contains("State      degraded"))
        #expect(outcome.lines.contains("Problem    inbox_unreadable: cannot read a.json"))
        #expect(outcome.lines.contains("Daemon     storiesd 1.2.3, process 4711, up 1 d 2 h"))
        #expect(outcome.lines.contains("Cache      12 objects, 3.3 MiB of 1.0 GiB, 5 corrupt"))
        #expect(outcome.lines.contains { $0.hasPrefix("(none)") && $0.hasSuffix("/var/cache/storiesd/tmp/_") })
        let view = StatusView(report: FakeService.report, palette: Palette(isColoured: false), columns: 80)
        #expect(view.lines.allSatisfy { DisplayText.width($0) <= 80 })
    }

    @Test("JSON is what the server sends, byte for byte")
    func json() async throws {
        let outcome = try await run("--json", "status")
        #expect(outcome.output == (try await served.curl("http://localhost/v1/status")))
        let manifest = try await run("show", "a", "--json")
        #expect(manifest.output == String(decoding: FakeService.manifest, as: UTF8.self))
    }

    @Test("A manifest's path is that of its own container, where a group has a fallback as well")
    func manifestPath() throws {
        let stale = StatusReport.Group(
            id: "group.com.example.app", container: "/tmp/fallback", fallback: true, stories: 1, objects: 0, bytes: 0)
        let groups = [stale] + FakeService.report.groups
        func path(_ text: String) throws -> String? {
            Answer.manifestPath(try #require(JSONParser.parse(Array(text.utf8)).objectValue), groups)
        }
        let own = try path(#"{"id": "a", "group": "group.com.example.app", "group_fallback": false}"#)
        #expect(own?.hasPrefix("/var/lib/storiesd/groups/group.com.example.app/pw_stories_cache/") == true)
        let fallback = try path(#"{"id": "a", "group": "group.com.example.app", "group_fallback": true}"#)
        #expect(fallback == "/tmp/fallback/pw_stories_cache/stories/a/manifest.json")
        let none = try path(#"{"id": "a", "group": null, "group_fallback": false}"#)
        #expect(none?.hasPrefix("/var/cache/storiesd/tmp/_/") == true)
    }

    @Test("A refusal is printed as JSON too, and told by the exit status")
    func jsonRefusal() async throws {
        let outcome = try await run("--json", "show", "nobody")
        #expect(outcome.status == .notFound)
        #expect(outcome.output == "{\"error\":{\"code\":\"not_found\",\"message\":\"no story 'nobody'\"}}\n")
        #expect(outcome.complaints == ["no story 'nobody'"])
    }

    @Test("Stories are listed newest first")
    func list() async throws {
        let outcome = try await run("list")
        #expect(
            outcome.lines == [
                "ID  STATE  PAGES  RECEIVED   TITLE    GROUP",
                "d   ready    2/2  3 min ago           group.com.example.app",
                "c   ready    2/2  3 min ago  Story c  group.com.example.app",
                "b   ready    2/2  3 min ago  Story b  group.com.example.app",
                "a   ready    2/2  3 min ago  Story a",
                "",
            ])
    }

    @Test("The widest of stories fit a terminal, their ids whole")
    func wideList() throws {
        let id = "x" + String(repeating: "f", count: 32)
        let story = StorySummary(
            id: id, group: "group.com.example.app", state: "prefetching", settled: false, pages: 100, cached: 100,
            revision: 1, title: "ข่าวสารและโปรโมชั่นล่าสุด", receivedAt: "2026-01-02T03:04:05.678Z",
            updatedAt: "2026-01-02T03:04:05.678Z")
        let now = try #require(Timestamp("2026-01-02T03:44:10.000Z"))
        let view = StoryListView(
            stories: [story], hasMore: false, palette: Palette(isColoured: false), columns: 80, now: now)
        #expect(view.lines.allSatisfy { DisplayText.width($0) <= 80 && ($0.hasPrefix("ID") || $0.hasPrefix(id)) })
    }

    @Test("On a narrow terminal a list leaves columns out before it cuts ids, which are cut no more than needed")
    func narrowList() throws {
        let id = "x" + String(repeating: "f", count: 32)
        let now = try #require(Timestamp("2026-01-02T03:44:10.000Z"))
        func lines(_ state: String, columns: Int?) -> [String] {
            let story = StorySummary(
                id: id, group: String(repeating: "group", count: 20), state: state, settled: false, pages: 1,
                cached: 1, revision: 1, title: "e" + String(repeating: "\u{301}", count: 5000),
                receivedAt: "2026-01-02T03:04:05.678Z", updatedAt: "2026-01-02T03:04:05.678Z")
            return StoryListView(
                stories: [story], hasMore: false, palette: Palette(isColoured: false), columns: columns, now: now
            ).lines
        }
        #expect(lines("ready", columns: 40)[1] == "\(id)  ready")
        #expect(lines("prefetching", columns: 40)[1] == "\(id.prefix(26))…  prefetching")
        #expect(lines("ready", columns: 60)[1] == "\(id)  ready    1/1  40 min ago")
        for columns in [1, 2, 10, 20, 40, 60, 80, 120] {
            #expect(lines("prefetching", columns: columns).allSatisfy { DisplayText.width($0) <= max(4, columns) })
        }
        // Elsewhere nothing is: who looks for a name there finds it. Yet no letter is as long as a line.
        let whole = lines("prefetching", columns: nil)[1]
        #expect(whole.hasPrefix(id) && whole.hasSuffix(String(repeating: "group", count: 20)))
        #expect(whole.utf8.count < 250)
    }

    @Test("What is no socket is told as that, and a path that none can have with its length")
    func noSocket() async throws {
        let directory = try TemporaryDirectory()
        try FileBytes.put([], at: directory.path("file"))
        let long = "/tmp/" + String(repeating: "s", count: 120)
        for (path, reason) in [
            (directory.path, "that is a directory, and no socket"),
            (directory.path("file"), "that is a file, and no socket"),
            (long, "that path is 125 bytes long, and a socket's has at most 107"),
        ] {
            let outcome = try await run("--socket", path, "status")
            #expect(outcome.status == .unreachable)
            #expect(outcome.complaints.first == "no daemon answers at \(path): \(reason)")
        }
    }

    @Test("A limit is kept, and more are promised only where there are more")
    func limits() async throws {
        let two = try await run("list", "--limit", "2")
        #expect(two.lines.count == 6 && two.output.contains("There are more"))
        let four = try await run("list", "--limit", "4")
        #expect(four.lines.count == 6 && !four.output.contains("There are more"))
        #expect(try await run("list", "--state", "failed").output == "No stories.\n")
    }

    @Test("A story that is not there is exit status 4, an ambiguous one 1")
    func refusals() async throws {
        #expect(try await run("show", "nobody").status == .notFound)
        let ambiguous = try await run("show", "twice")
        #expect(ambiguous.status == .failed)
        #expect(ambiguous.complaints == ["two groups have it"])
    }

    @Test("No daemon is exit status 3, and the socket is named")
    func unreachable() async throws {
        let outcome = try await run("status", socket: "/nonexistent/s")
        #expect(outcome.status == .unreachable)
        #expect(outcome.output.isEmpty)
        #expect(outcome.complaints[0] == "no daemon answers at /nonexistent/s: there is no such socket")
    }

    @Test("A wrong command line is exit status 2, before anything is asked")
    func usage() async throws {
        let outcome = try await run("sohw", "a", socket: "/nonexistent/s")
        #expect(outcome.status == .usage)
        #expect(outcome.complaints[0] == "unknown command 'sohw'; did you mean 'show'?")
    }

    @Test("The socket is the one given, the environment's, the user's own or the system's")
    func socketPath() throws {
        let runtime = try TemporaryDirectory()
        let own = runtime.path("storiesd/storiesd.sock")
        func path(_ given: String? = nil, isRoot: Bool = false, _ variables: [String: String] = [:]) -> String {
            let all = variables.merging(["XDG_RUNTIME_DIR": runtime.path]) { value, _ in value }
            return Surroundings(isTerminal: false, isRoot: isRoot, variables: all, now: .now())
                .socketPath(given: given)
        }
        #expect(path("/given", ["STORIESD_SOCKET": "/variable"]) == "/given")
        #expect(path(nil, ["STORIESD_SOCKET": "/variable"]) == "/variable")
        #expect(path() == "/run/storiesd/storiesd.sock")
        try FileManager.default.createDirectory(atPath: runtime.path("storiesd"), withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: own))
        #expect(path() == own)
        #expect(path(isRoot: true) == "/run/storiesd/storiesd.sock")
    }
}
