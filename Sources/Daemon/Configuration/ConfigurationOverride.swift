/// One `--set KEY=VALUE` of the command line; what it means is judged when the configuration is loaded.
package struct ConfigurationOverride: Sendable, Equatable {
    package let key: String
    package let text: String

    /// An override of that key by a text that is JSON5 or a bare word.
    package init(key: String, text: String) {
        self.key = key
        self.text = text
    }

    /// Splits `KEY=VALUE` at the first `=`; nil where there is none or the key is empty.
    init?(_ argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        self.init(key: String(parts[0]), text: String(parts[1]))
    }
}
