/// Names and values, one pair a line, the values aligned. Values are cleaned, and never cut: paths are there to be
/// copied.
struct Fields {
    private var rows: [(name: String, value: String, tone: Palette.Tone)] = []

    /// A value of any origin; nil: no line.
    mutating func add(_ name: String, _ value: String?, tone: Palette.Tone = .plain) {
        guard let value else { return }
        rows.append((name, DisplayText.clean(value), tone))
    }

    func lines(_ palette: Palette) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let name = row.name + String(repeating: " ", count: width - row.name.count)
            return "\(palette.paint(name, .heading))  \(palette.paint(row.value, row.tone))"
        }
    }
}
