/// A command line, read. Options stand anywhere, their values behind them or after a `=`; `--` ends them.
struct Invocation: Equatable {
    enum Action: Equatable {
        case run(Command)
        /// Of the command named, or of the whole program.
        case help(String?)
        case version
    }

    let action: Action
    /// As given with --socket.
    let socketPath: String?
    /// Print what the daemon answers, byte for byte.
    let wantsJSON: Bool

    init(_ arguments: [String]) throws(UsageError) {
        var scan = Scan(rest: arguments[...])
        try scan.run()
        socketPath = scan.words.options["--socket"]
        wantsJSON = scan.words.options["--json"] != nil
        if scan.words.options["--help"] != nil {
            action = .help(scan.form?.name)
        } else if scan.words.options["--version"] != nil {
            action = .version
        } else {
            guard let form = scan.form else { throw UsageError("which command?") }
            try form.check(scan.words)
            action = .run(try form.make(scan.words))
        }
    }

    /// The walk through the arguments.
    private struct Scan {
        var rest: ArraySlice<String>
        var form: CommandForm?
        var words = CommandForm.Words()

        mutating func run() throws(UsageError) {
            var takesOptions = true
            while let word = rest.popFirst() {
                if takesOptions, word == "--" {
                    takesOptions = false
                } else if takesOptions, word.hasPrefix("-"), word != "-" {
                    try takeOption(word)
                } else {
                    try takeWord(word)
                }
            }
        }

        private mutating func takeWord(_ word: String) throws(UsageError) {
            guard let form else {
                form = try command(word, among: CommandForm.all.filter { !$0.name.contains(" ") })
                return
            }
            let subcommands = form.subcommands
            guard subcommands.isEmpty else {
                self.form = try command("\(form.name) \(word)", among: subcommands)
                return
            }
            guard words.operands.count < form.operands.count else {
                throw UsageError("\(form.name): '\(word)' is one word too many")
            }
            words.operands.append(word)
        }

        private func command(_ name: String, among forms: [CommandForm]) throws(UsageError) -> CommandForm {
            guard let form = forms.first(where: { $0.name == name }) else {
                throw UsageError(unknown: "command", name, among: forms.map(\.name))
            }
            return form
        }

        private mutating func takeOption(_ word: String) throws(UsageError) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let known = OptionForm.global + (form?.options ?? [])
            guard let option = known.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
                throw UsageError(unknown: "option", parts[0], among: known.map(\.name))
            }
            guard words.options[option.name] == nil else { throw UsageError("\(option.name) is given twice") }
            let attached = parts.count == 2 ? parts[1] : nil
            guard option.value != nil else {
                guard attached == nil else { throw UsageError("\(option.name) takes no value") }
                words.options[option.name] = ""
                return
            }
            // Nothing behind the '=' is a variable that was empty, and not what stands for no value at all.
            guard !option.isValueOptional || attached != "" else {
                throw UsageError("\(option.name)= needs a value: \(option.usage)")
            }
            guard let value = attached ?? (option.isValueOptional ? "" : rest.popFirst()) else {
                throw UsageError("\(option.name) needs a value: \(option.usage)")
            }
            words.options[option.name] = value
        }
    }
}
