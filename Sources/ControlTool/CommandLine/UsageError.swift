import Platform

/// A command line that makes no sense, and what was probably meant.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// An unknown word of some kind, with the known one nearest to it.
    init(unknown kind: String, _ word: String, among known: [String]) {
        let hint = nearestName(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
        message = "unknown \(kind) '\(word)'\(hint)"
    }
}
