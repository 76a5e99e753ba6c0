import ControlAPI
import Testing

@testable import ControlTool

@Suite("Command lines")
struct InvocationTests {
    @Test("Options stand anywhere, values behind them or after an equals sign")
    func options() throws {
        let invocation = try Invocation(["--json", "list", "--group=a b", "--socket", "/s", "--limit", "5"])
        #expect(invocation.action == .run(.list(group: "a b", state: nil, limit: 5)))
        #expect(invocation.socketPath == "/s")
        #expect(invocation.wantsJSON)
    }

    @Test("A bare list asks for a hundred stories of all groups")
    func defaults() throws {
        #expect(try Invocation(["list"]).action == .run(.list(group: nil, state: nil, limit: 100)))
    }

    @Test("Every command is read with what belongs to it")
    func commands() throws {
        func command(_ words: String...) throws -> Command? {
            guard case .run(let command) = try Invocation(words).action else { return nil }
            return command
        }
        func prefetch(_ file: String, group: String? = nil, wait: Int? = nil) -> Command {
            .prefetch(Command.Prefetch(file: file, group: group, wait: wait))
        }
        #expect(try command("prefetch", "-") == prefetch("-"))
        #expect(try command("prefetch", "--wait", "f", "--group", "g") == prefetch("f", group: "g", wait: 120))
        #expect(try command("prefetch", "f", "--wait=7") == prefetch("f", wait: 7))
        #expect(try command("watch") == .watch)
        #expect(try command("lookup", "http://a/") == .lookup(url: "http://a/"))
        #expect(try command("groups") == .groups)
        #expect(try command("groups", "add", "g") == .provision(group: "g"))
        #expect(try command("delete", "a", "--group=") == .delete(id: "a", group: ""))
        #expect(try command("evict") == .evict(nil))
        #expect(try command("evict", "--to", "500M") == .evict(.toBytes(500 << 20)))
        #expect(try command("evict", "--older-than=7d") == .evict(.olderThanSeconds(604_800)))
        #expect(try command("verify") == .verify)
        #expect(try command("metrics") == .metrics)
        #expect(try command("config") == .configuration)
        #expect(try Invocation(["groups", "add", "--help"]).action == .help("groups add"))
    }

    @Test(
        "Sizes and times are read as people write them",
        arguments: [
            ("0", 0, nil), ("4096", 4096, nil), ("7", 7, nil), ("0s", nil, 0), ("1.5k", 1536, nil),
            ("2 GiB", 2 << 30, nil), ("7MB", 7 << 20, nil),
            ("90s", nil, 90), ("15min", nil, 900), ("15m", 15 << 20, 900), ("1.5h", nil, 5400), ("2w", nil, 1_209_600),
            ("", nil, nil), ("-1", nil, nil), ("k", nil, nil), ("1x", nil, nil), ("nan", nil, nil), ("1e3", nil, nil),
            ("99999999999999999999", nil, nil),
        ] as [(String, Int?, Int?)])
    func quantities(text: String, bytes: Int?, seconds: Int?) {
        #expect(Quantity.bytes(text) == bytes)
        #expect(Quantity.seconds(text) == seconds)
    }

    @Test("Two dashes end the options")
    func endOfOptions() throws {
        #expect(try Invocation(["show", "--", "--json"]).action == .run(.show(id: "--json", group: nil)))
    }

    @Test("Help and version win over what is missing")
    func help() throws {
        #expect(try Invocation(["-h"]).action == .help(nil))
        #expect(try Invocation(["show", "--help"]).action == .help("show"))
        #expect(try Invocation(["--version"]).action == .version)
    }

    @Test(
        "What makes no sense is told with what was probably meant",
        arguments: [
            ([], "which command?"),
            (["lsit"], "unknown command 'lsit'; did you mean 'list'?"),
            (["xyzzy"], "unknown command 'xyzzy'"),
            (["list", "--grup", "a"], "unknown option '--grup'; did you mean '--group'?"),
            (["status", "--group", "a"], "unknown option '--group'"),
            (["list", "--state", "redy"], "unknown state 'redy'; did you mean 'ready'?"),
            (["list", "--limit", "0"], "--limit: expected a whole number above 0, found '0'"),
            (["list", "--limit", "ten"], "--limit: expected a whole number above 0, found 'ten'"),
            (["list", "--limit"], "--limit needs a value: --limit N"),
            (["list", "x"], "list: 'x' is one word too many"),
            (["show"], "show: needs ID"),
            (["prefetch"], "prefetch: needs FILE|-"),
            (["prefetch", "f", "--wait=121"], "--wait: expected a whole number of seconds from 0 to 120, found '121'"),
            (["prefetch", "--wait", "7", "f"], "prefetch: 'f' is one word too many"),
            (["groups", "ad", "g"], "unknown command 'groups ad'; did you mean 'groups add'?"),
            (["groups", "add"], "groups add: needs ID"),
            (["evict", "--to", "much"], "--to: expected a size such as 500M or 2G, found 'much'"),
            (
                ["evict", "--older-than", "5x"],
                "--older-than: expected a time with its unit, such as 90s, 15min, 12h or 7d, found '5x'"
            ),
            // Seconds would be a surprise to who meant days.
            (
                ["evict", "--older-than=7"],
                "--older-than: expected a time with its unit, such as 90s, 15min, 12h or 7d, found '7'"
            ),
            (["prefetch", "f", "--wait="], "--wait= needs a value: --wait[=SECONDS]"),
            (["evict", "--to", "1", "--older-than", "1"], "evict: either --to or --older-than, not both"),
            (["--json", "--json", "status"], "--json is given twice"),
            (["--json=yes", "status"], "--json takes no value"),
        ] as [([String], String)])
    func mistakes(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try Invocation(arguments) }
    }

    @Test("Help fits a terminal and names every command and option")
    func helpLines() {
        let lines = Help.lines(for: nil) + CommandForm.all.flatMap { Help.lines(for: $0.name) }
        #expect(lines.allSatisfy { DisplayText.width($0) <= 80 })
        let text = lines.joined(separator: "\n")
        for form in CommandForm.all {
            #expect(text.contains(form.name))
            for option in form.options { #expect(text.contains(option.usage)) }
        }
    }
}
