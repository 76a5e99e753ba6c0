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
