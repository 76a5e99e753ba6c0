import ControlAPI
import ControlServer
import Foundation
import Platform
import TestSupport
import Testing

@testable import ControlTool

@Suite("What storiesctl changes, waits for and watches", .timeLimit(.minutes(1)))
struct ChangingToolTests {
    struct Outcome {
        let status: ExitCode
        let output: String
        let complaints: [String]
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The path of a file of these words, which are the stories of a `FakeService`.
    private func payload(_ words: String) throws -> String {
        let path = directory.path("payload.json")
        try FileBytes.put(Array(words.utf8), at: path)
        return path
    }

    private func run(
        _ served: ServedSocket, _ arguments: [String], terminal: TerminalSize? = nil,
        _ variables: [String: String] = [:]
    ) async throws -> Outcome {
        let path = served.path
        return try await offPool {
            // What is drawn goes to the terminal itself, and comes before what is printed.
            let screen = try TemporaryDirectory()
            let drawn = screen.path("drawn")
            try FileBytes.put([], at: drawn)
            let file = Descriptor(owning: open(drawn, O_RDWR | O_CLOEXEC), path: drawn)
            var output: [UInt8] = []
            var complaints: [String] = []
            let tool = Tool(
                Surroundings(
                    isTerminal: terminal != nil, terminal: file.raw, terminalSize: { terminal }, isRoot: true,
                    variables: ["STORIESD_SOCKET": path].merging(variables) { $1 }, now: .now()),
                print: { output += $0 }, complain: { complaints.append($0) })
            let status = tool.run(arguments)
            return Outcome(
                status: status, output: String(decoding: try FileBytes.read(drawn) + output, as: UTF8.self),
                complaints: complaints)
        }
    }

    private static func manifest(_ state: String, settled: Bool = true, pages: String = "") -> [UInt8] {
        Array(
            #"{"id": "s", "group": null, "state": "\#(state)", "settled": \#(settled), "pages": [\#(pages)]}"#.utf8)
    }

    private static let cachedPage = #"{"index": 0, "state": "cached", "bytes": 2048, "source": "network"}"#
    private static let failedPage = #"{"index": 1, "state": "failed", "error": {"code": "dns", "message": "no name"}}"#

    @Test("A payload is handed in, for a group, and each of its stories is told")
    func accept() async throws {
        let served = try ServedSocket()
        let outcome = try await run(served, ["prefetch", payload("one two"), "--group", "g"])
        #expect(outcome.status == .done)
        #expect(
            outcome.output == """
                Accepted one of g: /stories/one/manifest.json
                Accepted two of g: /stories/two/manifest.json

                """)
        let exact = try await run(served, ["prefetch", payload("one"), "--json"])
        #expect(exact.output == #"{"id":"one","group":null,"manifest":"/stories/one/manifest.json"}"# + "\n")
        let none = try await run(served, ["prefetch", directory.path("none.json")])
        #expect(none.status == .failed && none.complaints[0].hasSuffix("none.json: No such file or directory"))
        let refused = try await run(served, ["prefetch", payload("")])
        #expect(refused.status == .failed && refused.complaints == ["no payload"])
    }

    @Test("Waiting ends with 0 where nothing is missing, with 5 where something is or the time is up")
    func waiting() async throws {
        let states = Locked("ready")
        let service = FakeService(manifestOf: { id in
            let state = states.withLock { $0 }
            return Self.manifest(state, settled: state != "prefetching", pages: Self.cachedPage + "," + Self.failedPage)
        })
        let served = try ServedSocket(service)
        // On a terminal the manifest is asked for; elsewhere `slow` is what is not settled in time.
        let terminal = TerminalSize(columns: 80, rows: 24)
        for (state, status) in [
            ("ready", ExitCode.done), ("fallback", .done), ("partial", .pagesMissing), ("failed", .pagesMissing),
        ] {
            states.withLock { $0 = state }
            let outcome = try await run(served, ["prefetch", payload("s"), "--wait"], terminal: terminal)
            #expect(outcome.status == status && outcome.complaints == [], "\(state)")
        }
        states.withLock { $0 = "prefetching" }
        for terminal in [terminal, nil] {
            let late = try await run(served, ["prefetch", payload("slow"), "--wait=0"], terminal: terminal)
            #expect(late.status == .pagesMissing)
            #expect(late.complaints == ["not settled within 0 s; the daemon goes on"])
            #expect(late.output.contains("1 of 2 pages cached, 2.0 KiB, not settled after"))
        }
        let exact = try await run(served, ["prefetch", payload("slow"), "--wait=0", "--json"])
        #expect(exact.status == .pagesMissing && exact.output.hasPrefix(#"{"id":"slow""#))
    }

    @Test("Who may not read the story waits by the daemon's own answer", arguments: [true, false])
    func unreadable(isTerminal: Bool) async throws {
        let state = Locked("ready")
        let service = FakeService(settledManifestOf: { _ in
            Self.manifest(state.withLock { $0 }, pages: Self.cachedPage + "," + Self.failedPage)
        })
        let served = try ServedSocket(service)
        let terminal = isTerminal ? TerminalSize(columns: 80, rows: 24) : nil
        for (name, status) in [("ready", ExitCode.done), ("partial", .pagesMissing)] {
            state.withLock { $0 = name }
            let outcome = try await run(served, ["prefetch", payload("s"), "--wait"], terminal: terminal)
            #expect(outcome.status == status && outcome.complaints == [])
            #expect(outcome.output.contains("s: ") && outcome.output.contains("\(name)"))
        }
        let late = try await run(served, ["prefetch", payload("slow"), "--wait=0", "--group", "g"], terminal: terminal)
        #expect(late.status == .pagesMissing)
        #expect(
            late.output.contains("accepted, not settled after 0.")
                && late.output.contains("shows this user no manifest"))
        #expect(late.complaints == ["not settled within 0 s; the daemon goes on"])
    }

    @Test("A story that is removed while it is waited for is told as such, and not as one whose time is up")
    func removal() async throws {
        let asked = Locked(0)
        let service = FakeService(manifestOf: { _ in
            let isFirst = asked.withLock { asked in
                asked += 1
                return asked == 1
            }
            return isFirst ? Self.manifest("prefetching", settled: false, pages: Self.cachedPage) : nil
        })
        let served = try ServedSocket(service)
        let size = TerminalSize(columns: 80, rows: 24)
        let drawn = try await run(served, ["prefetch", payload("slow"), "--wait", "--group", "g"], terminal: size)
        #expect(drawn.status == .notFound)
        #expect(drawn.complaints == ["story slow of g was removed while it was waited for"])
        for arguments in [[], ["--json"]] {
            let outcome = try await run(served, ["prefetch", payload("slow"), "--wait"] + arguments)
            #expect(outcome.status == .failed && outcome.complaints.count == 1)
            #expect(outcome.complaints[0].hasPrefix("no longer waited for"))
        }
    }

    @Test("A story that is removed before it was ever seen is told as removed, and not handed in again")
    func earlyRemoval() async throws {
        let acceptances = Locked(0)
        let served = try ServedSocket(
            FakeService(
                beforeAcceptance: { acceptances.withLock { $0 += 1 } }, storiesDirectory: directory.path("stories")))
        try checked("mkdir") { mkdir(directory.path("stories"), 0o700) }
        let size = TerminalSize(columns: 80, rows: 24)
        let outcome = try await run(served, ["prefetch", payload("gone"), "--wait"], terminal: size)
        #expect(outcome.status == .notFound)
        #expect(outcome.complaints == ["story gone was removed while it was waited for"])
        #expect(acceptances.withLock { $0 } == 1)
    }

    @Test("On a terminal the bars are drawn and erased; only the summary stays")
    func bars() async throws {
        let asked = Locked(0)
        let service = FakeService(
            manifestOf: { id in
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                let pending = #"{"index": 1, "state": "pending", "image_url": "http://a/1.png"}"#
                return count < 4
                    ? Self.manifest("prefetching", settled: false, pages: Self.cachedPage + "," + pending)
                    : Self.manifest("partial", pages: Self.cachedPage + "," + Self.failedPage)
            }, settledManifestOf: { _ in Self.manifest("partial", pages: Self.failedPage) })
        let served = try ServedSocket(service)
        for (columns, variables) in [(80, [:]), (20, [:]), (80, ["NO_COLOR": "1"]), (80, ["TERM": "dumb"])] {
            asked.withLock { $0 = 0 }
            let size = TerminalSize(columns: columns, rows: 10)
            let outcome = try await run(served, ["prefetch", payload("s"), "--wait"], terminal: size, variables)
            #expect(outcome.status == .pagesMissing)
            let isDumb = variables["TERM"] != nil
            #expect(outcome.output.contains("[") == !isDumb && outcome.output.contains("\u{1B}") == !isDumb)
            if !isDumb { #expect(outcome.output.contains("[==")) }
            var screen = TerminalScreen(columns: 200, rows: 10)
            screen.write(outcome.output)
            #expect(screen.unknown == [] && screen.hasColour == variables.isEmpty)
            // The dumb one waits by one request, whose manifests are the service's own.
            guard !isDumb else { continue }
            #expect(screen.lines.count == 2)
            #expect(screen.lines.first?.hasPrefix("s: partial, 1 of 2 pages cached, 2.0 KiB, in 0.") == true)
            #expect(screen.lines.last == "  page 1 failed: dns: no name")
        }
    }

    @Test("Groups, stories and the cache are changed, and people told in a sentence")
    func sentences() async throws {
        let served = try ServedSocket()
        func told(_ words: String...) async throws -> String {
            let outcome = try await run(served, words)
            #expect(outcome.status == .done, "\(words): \(outcome.complaints)")
            return outcome.output
        }
        #expect(try await told("groups", "add", "new") == "new is provisioned: /groups/new\n")
        #expect(try await told("groups", "add", "group.com.example.app").contains("was provisioned already"))
        #expect(try await told("groups").hasPrefix("GROUP  "))
        #expect(try await told("delete", "a") == "Removed a.\n")
        let verification = try await run(served, ["verify"])
        #expect(verification.output == "Checked 12 objects: 2 corrupt, 1 repaired.\n")
        // One was not mended.
        #expect(verification.status == .failed)
        #expect(try await told("evict", "--to", "7") == "Removed 1 story and 2 objects, 7 B.\n")
        #expect(try await told("evict") == "Removed 1 story and 2 objects, 1.0 GiB.\n")
        #expect(try await told("evict", "--older-than", "1d") == "Removed 86400 stories and 0 objects, 0 B.\n")
        #expect(try await told("metrics") == "storiesd_a 1\n")
        #expect(try await told("config") == "{\n  \"inbox\": \"/inbox\"\n}\n")
        let media = try await told("lookup", "https://example.com/a.png?x=1&y=/a.png")
        #expect(media.contains("State        stale\nPicture      image/png, 2×3, 9.8 KiB\n"))
        #expect(media.contains("Story        a of group.com.example.app\nStory        b\n"))
        #expect(try await told("lookup", "http://a/") == "URL    http://a/\nState  absent\n")
        let unknown = try await run(served, ["delete", "nobody"])
        #expect(unknown.status == .notFound && unknown.complaints == ["no story 'nobody'"])
        let refused = try await run(try ServedSocket(FakeService(permitted: [.read])), ["delete", "a"])
        #expect(refused.status == .failed && refused.complaints[0].contains("root"))
    }

    @Test("Tables are as wide as the terminal")
    func width() async throws {
        let served = try ServedSocket()
        let wide = try await run(
            served, ["groups"], terminal: TerminalSize(columns: 200, rows: 24), ["NO_COLOR": "1"])
        #expect(wide.output.contains("/var/lib/storiesd/groups/group.com.example.app"))
        let nowhere = try await run(served, ["groups"])
        #expect(nowhere.output.contains("/var/lib/storiesd/groups/group.com.example.app"))
        let narrow = try await run(served, ["groups"], terminal: TerminalSize(columns: 80, rows: 24))
        #expect(!narrow.output.contains("/var/lib/storiesd/groups/group.com.example.app"))
    }

    @Test("Without a terminal, or on a dumb one, watch prints events; as JSON as they come")
    func events() async throws {
        let lines = [
            #"{"event":"story.accepted","at":"2026-01-02T03:04:05.678Z","group":"g","id":"a","pages":2}"#,
            #"{"event":"later\u001b[2J","at":"","extra":true}"#,
        ]
        let service = FakeService(makeStream: {
            let stream = EventStream()
            for line in lines { stream.add(Array((line + "\n").utf8)) }
            return stream
        })
        let expected = "03:04:05  story.accepted    a  of g  pages=2\n"
        let served = try ServedSocket(service)
        let path = served.path
        for (arguments, isTerminal, expected) in [
            (["watch"], false, expected), (["watch"], true, expected), (["watch", "--json"], true, lines[0] + "\n"),
        ] {
            let outcome = try await offPool {
                // The stream goes on: whoever reads ends it, here by not taking the third line.
                var output: [String] = []
                let tool = Tool(
                    Surroundings(
                        isTerminal: isTerminal, isRoot: true,
                        variables: ["STORIESD_SOCKET": path, "TERM": "dumb"], now: .now()),
                    print: { bytes in
                        output.append(String(decoding: bytes, as: UTF8.self))
                        if output.count == 2 { throw CancellationError() }
                    }, complain: { _ in })
                let status = tool.run(arguments)
                return (status, output)
            }
            #expect(outcome.0 == .failed && outcome.1[0] == expected)
            #expect(!outcome.1[1].contains("\u{1B}"))
        }
        let refused = try await run(try ServedSocket(FakeService(makeStream: { nil })), ["watch"])
        #expect(refused.status == .failed && refused.complaints == ["enough"])
    }
}
