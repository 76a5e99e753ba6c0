import Platform

/// The command line of `storiesd`, understood.
package struct DaemonArguments: Sendable, Equatable {
    /// What the program is asked to do.
    package enum Action: Sendable, Equatable {
        case run, checkConfiguration, printConfiguration, showVersion, showHelp
    }

    package private(set) var action = Action.run
    /// The file of `--config`; nil leaves it to the default place.
    package private(set) var configurationFile: String?
    /// The `--set`s, in their order.
    package private(set) var overrides: [ConfigurationOverride] = []

    private static let flags = ["--config", "--set", "--check-config", "--print-config", "--version", "--help"]

    /// Reads the arguments, without the program's name. `--help` wins over `--version`, both over the others;
    /// `--print-config` checks as well.
    package init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var asked: Set<String> = []
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = argument.hasPrefix("-") ? String(parts[0]) : argument
            let attached = parts.count == 2 ? String(parts[1]) : nil
            switch flag {
            case "--config":
                guard let file = attached ?? rest.popFirst(), !file.isEmpty else {
                    throw UsageError("--config needs a file: --config FILE")
                }
                configurationFile = file
            case "--set":
                guard let setting = attached ?? rest.popFirst(), let override = ConfigurationOverride(setting) else {
                    throw UsageError("--set needs a key and its value: --set KEY=VALUE")
                }
                overrides.append(override)
            case "--check-config", "--print-config", "--version", "--help", "-h":
                guard attached == nil else { throw UsageError("\(flag) takes no value") }
                asked.insert(flag)
            default:
                throw Self.unknown(flag)
            }
        }
        if !asked.isDisjoint(with: ["--help", "-h"]) {
            action = .showHelp
        } else if asked.contains("--version") {
            action = .showVersion
        } else if asked.contains("--print-config") {
            action = .printConfiguration
        } else if asked.contains("--check-config") {
            action = .checkConfiguration
        }
    }

    private static func unknown(_ argument: String) -> UsageError {
        guard argument.hasPrefix("-") else {
            return UsageError("unexpected argument \"\(argument)\": a configuration file is named by --config FILE")
        }
        let hint = nearestName(to: argument, among: flags).map { "did you mean \($0)?" } ?? "see storiesd --help"
        return UsageError("unknown flag \(argument): \(hint)")
    }

    /// The text of `--help`.
    package static let help = """
        Usage: storiesd [--config FILE] [--set KEY=VALUE]... [FLAG]

        Takes push payloads from an inbox, fetches the pictures of their stories and
        writes the manifests that a player reads. Runs in the foreground, logs to
        stderr, ends on SIGTERM or SIGINT, re-reads its configuration on SIGHUP.

          --config FILE    read this configuration file (JSON5)
          --set KEY=VALUE  override one key, such as --set network.per_host=4;
                           VALUE is JSON5 or a bare word
          --check-config   say whether the configuration is good, and end
          --print-config   print the effective configuration as JSON, secrets
                           masked, and end
          --version        print the version and end
          -h, --help       print this text and end

        Without --config the file at the default place is read if it is there:
        /etc/storiesd/storiesd.json5 for root and system services, otherwise
        $XDG_CONFIG_HOME/storiesd/storiesd.json5 (~/.config without that variable).

        Exit status: 0 ended as asked, 1 failed, 2 usage, 75 another daemon owns the
        state directory, 78 bad configuration.

        """
}
