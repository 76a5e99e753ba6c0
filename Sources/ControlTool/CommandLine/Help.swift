/// What `--help` prints, from the same tables that the parser goes by.
enum Help {
    /// Of one command, or of the whole program.
    static func lines(for command: String?) -> [String] {
        guard let form = CommandForm.all.first(where: { $0.name == command }) else { return program }
        var lines = ["Usage: storiesctl [OPTION]… \(form.usage)", "", "\(sentence(form.summary))"]
        if !form.options.isEmpty { lines += ["", "Options:"] + columns(form.options.map { ($0.usage, $0.summary) }) }
        return lines + ["", "For any command:"] + columns(OptionForm.global.map { ($0.usage, $0.summary) })
    }

    private static var program: [String] {
        ["Usage: storiesctl [OPTION]… COMMAND", "", "Asks a running storiesd.", "", "Commands:"]
            + columns(CommandForm.all.map { (([$0.name] + $0.operands).joined(separator: " "), $0.summary) })
            + ["", "Options:"] + columns(OptionForm.global.map { ($0.usage, $0.summary) })
            + [
                "", "'storiesctl COMMAND --help' tells the options of a command.", "",
                "Exit status: 0 done, 1 failed, 2 wrong usage, 3 no daemon, 4 no such thing,",
                "5 a story has settled with pages missing.",
            ]
    }

    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
    }

    private static func sentence(_ text: String) -> String {
        "\(text.prefix(1).uppercased())\(text.dropFirst())."
    }
}
