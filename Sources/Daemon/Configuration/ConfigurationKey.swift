import JSON
import Platform

/// One key of the configuration: its name, what is legal, why it is there, and the field it stands for.
///
/// The table of them, `all`, is the only place where keys are listed: reading, `--print-config`, hints at misspelled
/// names, reloading and the documentation are made from it.
struct ConfigurationKey: Sendable {
    /// The full name, with its section where it is in one: `network.per_host`.
    let name: String
    /// What a value must be.
    let rule: String
    /// What it decides and why one would change it: one line.
    let summary: String
    /// Whether a reload takes a new value; otherwise it needs a restart.
    let isReloadable: Bool
    /// Reads a value into the configuration, or says what is wrong with it.
    let apply: @Sendable (JSONValue, inout Configuration) throws(Misfit) -> Void
    /// The value of a configuration, secrets masked.
    let json: @Sendable (Configuration) -> JSONValue
    /// Copies the value of the first configuration into the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void
    /// Whether two configurations have different values, secrets included.
    let differs: @Sendable (Configuration, Configuration) -> Bool

    init<Value>(
        _ name: String, _ field: any WritableKeyPath<Configuration, Value> & Sendable, _ form: ValueForm<Value>,
        reload isReloadable: Bool = true, _ summary: String
    ) {
        self.name = name
        self.rule = form.rule
        self.summary = summary
        self.isReloadable = isReloadable
        apply = { (json, configuration) throws(Misfit) in
            configuration[keyPath: field] = try form.read(json)
        }
        json = { form.write($0[keyPath: field]) }
        copy = { $1[keyPath: field] = $0[keyPath: field] }
        differs = { $0[keyPath: field] != $1[keyPath: field] }
    }

    /// The section that the key is in; nil for one at the root.
    var section: String? {
        name.firstIndex(of: ".").map { String(name[..<$0]) }
    }

    /// The name within its section.
    var lastName: String {
        name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The key of that full name.
    static func named(_ name: String) -> ConfigurationKey? {
        all.first { $0.name == name }
    }

    /// The sections in the order of the table.
    static let sections: [String] = all.reduce(into: []) { sections, key in
        if let section = key.section, sections.last != section { sections.append(section) }
    }

    /// What someone who wrote `name` meant: the same name in its right section, else a key or section that is spelled
    /// nearly so.
    static func nearest(to name: String) -> String? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return all.first { $0.lastName == last }?.name
            ?? nearestName(to: name, among: sections + all.map(\.name))
            ?? nearestName(to: last, among: all.map(\.lastName)).flatMap { near in
                all.first { $0.lastName == near }?.name
            }
    }
}
