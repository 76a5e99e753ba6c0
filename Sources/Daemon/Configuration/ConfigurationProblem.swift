/// One thing that is wrong in a configuration: where, and what would be right.
package struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
    /// The file's path, or `--set`; nil where the values do not fit together or with the defaults.
    package let source: String?
    /// The full name, such as `network.per_host`; nil where the file as a whole is at fault.
    package let key: String?
    /// What is wrong and what would be right, without a full stop. Never holds a secret.
    package let message: String
    /// The line in the file, from 1, where a syntax error or the key stands.
    package let line: Int?
    /// The character within the line, from 1.
    package let column: Int?

    init(source: String? = nil, key: String? = nil, _ message: String, line: Int? = nil, column: Int? = nil) {
        self.source = source
        self.key = key
        self.message = message
        self.line = line
        self.column = column
    }

    package var description: String {
        var parts: [String] = []
        if let source { parts.append(source) }
        if let line, let column { parts.append("line \(line), column \(column)") }
        if let key { parts.append(key) }
        return (parts + [message]).joined(separator: ": ")
    }
}
