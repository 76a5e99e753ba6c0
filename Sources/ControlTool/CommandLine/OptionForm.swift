/// One option, as it is written and explained.
struct OptionForm: Equatable, Sendable {
    /// With its dashes.
    let name: String
    /// A second spelling.
    var short: String?
    /// What stands for its value in the help; nil: it takes none.
    var value: String?
    /// Whether it may stand without its value, which then follows only after a `=`.
    var isValueOptional = false
    let summary: String

    /// Those that stand before or behind any command.
    static let global = [
        OptionForm(name: "--socket", value: "PATH", summary: "the daemon's socket (else $STORIESD_SOCKET)"),
        OptionForm(name: "--json", summary: "print exactly what the daemon answers"),
        OptionForm(name: "--help", short: "-h", summary: "explain, and end"),
        OptionForm(name: "--version", summary: "print the version, and end"),
    ]

    /// `--group G`, as the help shows it.
    var usage: String {
        let names = short.map { "\($0), \(name)" } ?? name
        guard let value else { return names }
        return isValueOptional ? "\(names)[=\(value)]" : "\(names) \(value)"
    }
}
