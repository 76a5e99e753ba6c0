import JSON

/// Lays what was written over the defaults, key by key, and gathers what is wrong. A value that lives for one load.
struct ConfigurationReader {
    private var configuration: Configuration
    private var problems: [ConfigurationProblem] = []

    init(_ defaults: Configuration) {
        configuration = defaults
    }

    /// Takes the keys of a file.
    mutating func read(_ root: JSONObject, of path: String) {
        for (name, value) in root.members {
            guard ConfigurationKey.sections.contains(name) else {
                readRootKey(name, value, of: path)
                continue
            }
            guard let section = value.objectValue else {
                report(
                    "must be an object with keys of \(Self.names(in: name)); \(Misfit(kindOf: value).finding)",
                    key: name, in: path)
                continue
            }
            for (inner, value) in section.members { read(value, as: "\(name).\(inner)", of: path) }
        }
    }

    /// Takes one key of the command line. A text that is no JSON5 is a bare word: a string.
    mutating func read(_ override: ConfigurationOverride) {
        guard !ConfigurationKey.sections.contains(override.key) else {
            let example = "\(override.key).KEY=VALUE with a KEY of \(Self.names(in: override.key))"
            report("is a section; set one of its keys: \(example)", key: override.key, in: "--set")
            return
        }
        // Why the text is no JSON5 does not matter: it is taken as it stands.
        let value = (try? JSONParser.parse(override.text, dialect: .json5)) ?? .string(override.text)
        read(value, as: override.key, of: "--set")
    }

    /// The configuration, when nothing was wrong and its values fit together.
    consuming func finish() throws(ConfigurationError) -> Configuration {
        // What does not fit together may do so once the values are right.
        if problems.isEmpty { problems = configuration.inconsistencies() }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return configuration
    }

    private mutating func readRootKey(_ name: String, _ value: JSONValue, of path: String) {
        // In a file each key has one place and one spelling; the dotted one is for the command line and for messages.
        if let key = ConfigurationKey.named(name), let section = key.section {
            report("must be written in its section: \(section): { \(key.lastName): … }", key: name, in: path)
        } else {
            read(value, as: name, of: path)
        }
    }

    private mutating func read(_ value: JSONValue, as name: String, of source: String) {
        guard let key = ConfigurationKey.named(name) else {
            report("unknown key; \(Self.hint(at: name))", key: name, in: source)
            return
        }
        do {
            try key.apply(value, &configuration)
        } catch {
            report("must be \(key.rule); \(error.finding)", key: name, in: source)
        }
    }

    private mutating func report(_ message: String, key: String, in source: String) {
        problems.append(ConfigurationProblem(source: source, key: key, message))
    }

    private static func hint(at name: String) -> String {
        if let nearest = ConfigurationKey.nearest(to: name) { return "did you mean \(nearest)?" }
        return "there are \(names(in: nil)), \(ConfigurationKey.sections.joined(separator: ", "))"
    }

    /// The names that a section has, or the root.
    private static func names(in section: String?) -> String {
        ConfigurationKey.all.filter { $0.section == section }.map(\.lastName).joined(separator: ", ")
    }
}
