import Testing

@testable import Daemon

struct DaemonArgumentsTests {
    @Test("Without arguments it runs by the defaults")
    func none() throws {
        let arguments = try DaemonArguments([])
        #expect(arguments.action == .run)
        #expect(arguments.configurationFile == nil)
        #expect(arguments.overrides.isEmpty)
    }

    @Test("Values are taken after a space or an equals sign")
    func values() throws {
        let arguments = try DaemonArguments(["--config", "a", "--set", "k=v=w", "--config=b=c", "--set=x.y="])
        #expect(arguments.configurationFile == "b=c")
        #expect(
            arguments.overrides == [
                ConfigurationOverride(key: "k", text: "v=w"), ConfigurationOverride(key: "x.y", text: ""),
            ])
    }

    @Test(
        "Each action is asked for by its flag, the most harmless wins",
        arguments: [
            (["--check-config"], DaemonArguments.Action.checkConfiguration), (["--print-config"], .printConfiguration),
            (["--check-config", "--print-config"], .printConfiguration), (["--version"], .showVersion),
            (["--help"], .showHelp), (["-h"], .showHelp), (["--check-config", "--version", "-h"], .showHelp),
        ])
    func actions(arguments: [String], action: DaemonArguments.Action) throws {
        #expect(try DaemonArguments(arguments).action == action)
    }

    @Test(
        "What is wrong is named, with the nearest right flag",
        arguments: [
            (["--confg", "x"], "unknown flag --confg: did you mean --config?"),
            (["--chek-config"], "unknown flag --chek-config: did you mean --check-config?"),
            (["--verbose=5"], "unknown flag --verbose: did you mean --version?"),
            (["-x"], "unknown flag -x: see storiesd --help"),
            (["--config"], "--config needs a file: --config FILE"),
            (["--config="], "--config needs a file: --config FILE"),
            (["--set"], "--set needs a key and its value: --set KEY=VALUE"),
            (["--set", "inbox"], "--set needs a key and its value: --set KEY=VALUE"),
            (["--set", ""], "--set needs a key and its value: --set KEY=VALUE"),
            (["--set", "=5"], "--set needs a key and its value: --set KEY=VALUE"),
            (["--version=1"], "--version takes no value"),
            (["run"], "unexpected argument \"run\": a configuration file is named by --config FILE"),
        ])
    func wrong(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try DaemonArguments(arguments) }
    }

    @Test("The help names every flag and fits a terminal")
    func help() {
        for flag in ["--config", "--set", "--check-config", "--print-config", "--version", "-h, --help"] {
            #expect(DaemonArguments.help.contains("  \(flag)"))
        }
        #expect(DaemonArguments.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
