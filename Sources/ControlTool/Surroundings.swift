import Glibc
package import Platform

/// What the program finds around it: its terminal, its user, its environment and the time.
package struct Surroundings: Sendable {
    /// Whether standard output is a terminal.
    let isTerminal: Bool
    /// The terminal, to be drawn on: its descriptor.
    let terminal: Int32
    /// How large that is now; nil where it does not tell.
    let terminalSize: @Sendable () -> TerminalSize?
    /// Whether the user is root.
    let isRoot: Bool
    /// The environment's variables that matter here.
    let variables: [String: String]
    let now: Timestamp

    package init(
        isTerminal: Bool, terminal: Int32 = STDOUT_FILENO,
        terminalSize: @escaping @Sendable () -> TerminalSize? = { nil }, isRoot: Bool,
        variables: [String: String], now: Timestamp
    ) {
        self.isTerminal = isTerminal
        self.terminal = terminal
        self.terminalSize = terminalSize
        self.isRoot = isRoot
        self.variables = variables
        self.now = now
    }

    /// Those of this process.
    package static func ofProcess() -> Surroundings {
        var variables: [String: String] = [:]
        for name in ["STORIESD_SOCKET", "XDG_RUNTIME_DIR", "NO_COLOR", "TERM"] {
            variables[name] = getenv(name).map { String(cString: $0) }
        }
        return Surroundings(
            isTerminal: isatty(STDOUT_FILENO) == 1, terminalSize: { TerminalSize(of: STDOUT_FILENO) },
            isRoot: geteuid() == 0, variables: variables, now: .now())
    }

    /// Colours only for a terminal that shows them, and whose user has not said no (no-color.org).
    var palette: Palette {
        Palette(isColoured: isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb")
    }

    /// How wide tables may be: as the terminal is. Nil where there is none: programs look for whole names.
    var columns: Int? { isTerminal ? terminalSize()?.columns ?? Table.widest : nil }

    /// Whether what has been written there can be drawn over.
    var canRedraw: Bool { isTerminal && variables["TERM"] != "dumb" }

    /// The room for what is drawn over; of a terminal that does not tell, as much as any has.
    var canvas: TerminalSize { terminalSize() ?? TerminalSize(columns: Table.widest, rows: 24) }

    /// Where the daemon listens: as given, else as the environment says, else the user's own daemon where it has a
    /// socket, else the system's.
    func socketPath(given: String?) -> String {
        if let path = given ?? variables["STORIESD_SOCKET"], !path.isEmpty { return path }
        let system = "/run/storiesd/storiesd.sock"
        guard !isRoot else { return system }
        // Where a user's daemon listens without the variable, too: after su or in a cron job.
        var runtime = variables["XDG_RUNTIME_DIR"] ?? ""
        if runtime.isEmpty { runtime = "/run/user/\(getuid())" }
        let own = "\(runtime)/storiesd/storiesd.sock"
        return access(own, F_OK) == 0 ? own : system
    }
}
