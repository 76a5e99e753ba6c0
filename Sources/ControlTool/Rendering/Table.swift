/// Rows under headings, aligned, no wider than a terminal where that leaves each column its least.
struct Table {
    struct Column {
        let title: String
        var isRightAligned = false
        /// Columns that it may be cut to where the table would be too wide; nil: it is never cut.
        var least: Int?
    }

    struct Cell: ExpressibleByStringInterpolation {
        let text: String
        let tone: Palette.Tone

        /// Text of any origin: it is cleaned here.
        init(_ text: String, tone: Palette.Tone = .plain) {
            self.text = DisplayText.clean(text)
            self.tone = tone
        }

        init(stringLiteral value: String) {
            self.init(value)
        }
    }

    /// Where nothing is known of a terminal.
    static let widest = 80
    private static let gap = 2

    let columns: [Column]
    private(set) var rows: [[Cell]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// One cell for each column.
    mutating func append(_ row: [Cell]) {
        rows.append(row)
    }

    /// Without spaces at the ends of lines. The last columns are cut first.
    func lines(_ palette: Palette, columns: Int = Table.widest) -> [String] {
        let widths = fittedWidths(columns)
        let headings = self.columns.map { Cell($0.title, tone: .heading) }
        return ([headings] + rows).map { row in
            var line = ""
            var pending = 0
            for (index, cell) in row.enumerated() {
                let text = DisplayText.truncate(cell.text, to: widths[index])
                let padding = widths[index] - DisplayText.width(text)
                let before = self.columns[index].isRightAligned ? padding : 0
                line += String(repeating: " ", count: pending + before) + palette.paint(text, cell.tone)
                pending = padding - before + Table.gap
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }

    private func fittedWidths(_ widest: Int) -> [Int] {
        var widths = columns.indices.map { index in
            rows.reduce(DisplayText.width(columns[index].title)) { max($0, DisplayText.width($1[index].text)) }
        }
        var excess = widths.reduce(0, +) + Table.gap * (columns.count - 1) - widest
        for index in columns.indices.reversed() {
            guard excess > 0, let least = columns[index].least else { continue }
            let cut = min(excess, max(0, widths[index] - least))
            widths[index] -= cut
            excess -= cut
        }
        return widths
    }
}
