/// One command, as it is written and explained, and how its words become a `Command`. The table `all` is what the
/// parser and the help go by; the completions and the manual are held to it by a test.
struct CommandForm: Sendable {
    /// One word, or two where the first is a command as well.
    let name: String
    /// Names of the words that it needs.
    var operands: [String] = []
    var options: [OptionForm] = []
    /// Whether only one of its options may be given.
    var takesOneOption = false
    let summary: String
    let make: @Sendable (Words) throws(UsageError) -> Command

    /// The words behind the command: its operands in order, its options by name.
    struct Words {
        var operands: [String] = []
        var options: [String: String] = [:]
    }

    /// `list [--group G]…`, as the help shows it.
    var usage: String {
        let shown = options.map(\.usage)
        let optional = takesOneOption ? ["[\(shown.joined(separator: " | "))]"] : shown.map { "[\($0)]" }
        return ([name] + operands + optional).joined(separator: " ")
    }

    /// The commands of two words that begin with this one.
    var subcommands: [CommandForm] { Self.all.filter { $0.name.hasPrefix("\(name) ") } }

    /// Throws where the words are not as many as it needs, or exclude each other.
    func check(_ words: Words) throws(UsageError) {
        guard words.operands.count == operands.count else {
            throw UsageError("\(name): needs \(operands.joined(separator: " "))")
        }
        let given = options.map(\.name).filter { words.options[$0] != nil }
        guard !takesOneOption || given.count < 2 else {
            throw UsageError("\(name): either \(given.joined(separator: " or ")), not both")
        }
    }
}
