import JSON

/// Lays what was written over the defaults, key by key, and gathers what is wrong. A value that lives for one load.
struct ConfigurationReader {
    private var configuration: Configuration
    private var problems: [ConfigurationProblem] = []

    /// Where each value was written that is no default, by its key.
    private var sources: [String: Source] = [:]

    /// Beyond so many it is another kind of file, and each place and each nearest name takes its time.
    private static let mostProblems = 100

    /// Where a value was written.
    private enum Source {
        case commandLine
        /// In the file, under the keys that lead to it.
        case file(ConfigurationFile.Content, [String])
    }

    init(_ defaults: Configuration) {
        configuration = defaults
    }

    /// Takes the keys of a file.
    mutating func read(_ content: ConfigurationFile.Content) {
        for (name, value) in content.root.members where problems.count < Self.mostProblems {
            guard ConfigurationKey.sections.contains(name) else {
                readRootKey(name, value, in: .file(content, [name]))
                continue
            }
            guard let section = value.objectValue else {
                report(
                    "must be an object with keys of \(Self.names(in: name)); \(Misfit(kindOf: value).finding)",
                    key: name, in: .file(content, [name]))
                continue
            }
            for (inner, value) in section.members where problems.count < Self.mostProblems {
                read(value, as: "\(name).\(inner)", in: .file(content, [name, inner]))
            }
        }
    }

    /// Takes one key of the command line. A text that is no JSON5 is a bare word: a string.
    mutating func read(_ override: ConfigurationOverride) {
        guard !ConfigurationKey.sections.contains(override.key) else {
            let example = "\(override.key).KEY=VALUE with a KEY of \(Self.names(in: override.key))"
            report("is a section; set one of its keys: \(example)", key: override.key, in: .commandLine)
            return
        }
        // Why the text is no JSON5 does not matter: it is taken as it stands.
        let value = (try? JSONParser.parse(override.text, dialect: .json5)) ?? .string(override.text)
        read(value, as: override.key, in: .commandLine)
    }

    /// The configuration, when nothing was wrong, its values fit together and the files that they name can be used;
    /// reads those, and blocks.
    consuming func finish() throws(ConfigurationError) -> Configuration {
        // What does not fit together may do so once the values are right.
        if problems.isEmpty {
            for problem in configuration.inconsistencies() + configuration.unusableFiles() { report(problem) }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return configuration
    }

    private mutating func readRootKey(_ name: String, _ value: JSONValue, in source: Source) {
        // In a file each key has one place and one spelling; the dotted one is for the command line and for messages.
        if let key = ConfigurationKey.named(name), let section = key.section {
            report("must be written in its section: \(section): { \(key.lastName): … }", key: name, in: source)
        } else {
            read(value, as: name, in: source)
        }
    }

    private mutating func read(_ value: JSONValue, as name: String, in source: Source) {
        guard let key = ConfigurationKey.named(name) else {
            report("unknown key; \(Self.hint(at: name))", key: name, in: source)
            return
        }
        do {
            try key.apply(value, &configuration)
            sources[name] = source
        } catch {
            report("must be \(key.rule); \(error.finding)", key: name, in: source)
        }
    }

    private mutating func report(_ message: String, key: String, in source: Source) {
        switch source {
        case .commandLine:
            problems.append(ConfigurationProblem(source: "--set", key: key, message))
        case .file(let content, let path):
            let place = content.places.place(of: path)
            problems.append(
                ConfigurationProblem(
                    source: content.path, key: key, message, line: place?.line, column: place?.column))
        }
    }

    /// Reports a problem of a value that was taken, at the place where it was written.
    private mutating func report(_ problem: ConfigurationProblem) {
        guard let key = problem.key, let source = sources[key] else {
            problems.append(problem)
            return
        }
        report(problem.message, key: key, in: source)
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
