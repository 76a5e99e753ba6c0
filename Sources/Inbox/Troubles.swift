/// What an operator has to mend, by what it is about. Told once, and forgotten when a sweep no longer meets it. At
/// most a hundred are kept: the first ones stand for the rest.
struct Troubles: Sendable {
    private static let most = 100

    private var current: [String: String] = [:]
    private var previous: [String: String] = [:]

    /// A sweep begins, which meets again what still is.
    mutating func beginSweep() {
        previous = current
        current = [:]
    }

    /// Notes it; true where that is news.
    mutating func add(_ subject: String, _ message: String) -> Bool {
        guard current[subject] != nil || current.count < Self.most else { return false }
        return current.updateValue(message, forKey: subject) == nil && previous[subject] == nil
    }

    /// Whether it is among those told.
    func isKnown(_ subject: String) -> Bool { current[subject] != nil }

    /// It may have passed: where it has not, it is to be added again, and is no news.
    mutating func forget(_ subject: String) {
        if let message = current.removeValue(forKey: subject) { previous[subject] = message }
    }

    var messages: [String] { current.sorted { $0.key < $1.key }.map(\.value) }
}
