import Foundation

/// The lines that the bench prints: for each thing the least, the middle and the greatest of what was measured.
struct Table {
    private static let width = 62
    private(set) var text = ""

    init() {
        text = Self.line("", ["minimum", "median", "maximum"])
    }

    /// What the rows below it are about.
    mutating func heading(_ title: String) {
        text += "\n\(title)\n"
    }

    /// `name` says the unit; so many digits are shown behind the point.
    mutating func row(_ name: String, _ samples: Samples, digits: Int = 2) {
        let values = [samples.minimum, samples.median, samples.maximum]
        text += Self.line("  \(name)", values.map { String(format: "%.\(digits)f", $0) })
    }

    private static func line(_ name: String, _ cells: [String]) -> String {
        name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined() + "\n"
    }
}
