import ControlAPI

/// One command, as it is written and explained, and how its words become a `Command`. The table `all` is what the
/// parser and the help go by.
struct CommandForm: Sendable {
    let name: String
    /// Names of the words that it needs.
    var operands: [String] = []
    var options: [OptionForm] = []
    let summary: String
    let make: @Sendable (Words) throws(UsageError) -> Command

    /// The words behind the command: its operands in order, its options by name.
    struct Words {
        var operands: [String] = []
        var options: [String: String] = [:]
    }

    static let all = [
        CommandForm(name: "status", summary: "what the daemon is doing") { _ in .status },
        CommandForm(
            name: "list",
            options: [
                group,
                OptionForm(name: "--state", value: "S", summary: StoryQuery.states.joined(separator: ", ")),
                OptionForm(
                    name: "--limit", value: "N", summary: "at most N stories (else \(StoryQuery.defaultLimit))"),
            ],
            summary: "the stories, newest first"
        ) { words throws(UsageError) in
            .list(group: words.options["--group"], state: try state(words), limit: try limit(words))
        },
        CommandForm(name: "show", operands: ["ID"], options: [group], summary: "one story and its pages") { words in
            .show(id: words.operands[0], group: words.options["--group"])
        },
    ]

    /// `list [--group G]…`, as the help shows it.
    var usage: String {
        ([name] + operands + options.map { "[\($0.usage)]" }).joined(separator: " ")
    }

    private static let group = OptionForm(
        name: "--group", value: "G", summary: "of the group G alone ('' for stories without one)")

    private static func state(_ words: Words) throws(UsageError) -> String? {
        guard let state = words.options["--state"] else { return nil }
        guard StoryQuery.states.contains(state) else {
            throw UsageError(unknown: "state", state, among: StoryQuery.states)
        }
        return state
    }

    private static func limit(_ words: Words) throws(UsageError) -> Int {
        guard let text = words.options["--limit"] else { return StoryQuery.defaultLimit }
        guard let limit = Int(text), limit > 0 else {
            throw UsageError("--limit: expected a whole number above 0, found '\(text)'")
        }
        return limit
    }
}
