/// Lines that are drawn again and again at the same place of a terminal, and leave nothing behind. A value that knows
/// what it has drawn; the bytes that it makes are the caller's to write. Between them nobody else may write there.
struct LiveLines {
    /// The columns that each line on the screen takes.
    private var drawn: [Int] = []

    /// What puts these lines in place of those before. They are cut to the width of the terminal, and so many are left
    /// out at the end that they fit its height.
    mutating func draw(_ lines: [Line], _ palette: Palette, on size: TerminalSize) -> String {
        let text = erase(on: size)
        let shown = lines.prefix(max(1, size.rows - 1))
        drawn = shown.map { min($0.width, size.columns) }
        return text + shown.map { $0.text(palette, columns: size.columns) + "\n" }.joined()
    }

    /// What takes the lines away; the cursor is then where the first began.
    mutating func erase(on size: TerminalSize) -> String {
        guard !drawn.isEmpty else { return "" }
        // A terminal that has become narrower since has wrapped them.
        let rows = drawn.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / size.columns) }
        drawn = []
        // To the first of these rows, as far as they are still on the screen, and away with all below: ECMA-48.
        return "\u{1B}[\(max(1, min(rows, size.rows - 1)))F\u{1B}[J"
    }
}
