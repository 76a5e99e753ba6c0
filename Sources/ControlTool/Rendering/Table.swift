/// Rows under headings, aligned, no wider than a terminal. Where that is narrow, cells are cut to what their columns need
/// at least, then columns are left out, and only then the first is cut further.
struct Table {
    struct Column {
        let title: String
        var isRightAligned = false
        /// Columns that it may be cut to where the table would be too wide; nil: it is not cut while others can be.
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

    /// Where a terminal does not tell.
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

    /// Without spaces at the ends of lines. The last columns are cut, and left out, first. `columns`: of the terminal; nil:
    /// nothing is cut.
    func lines(_ palette: Palette, columns: Int? = Table.widest) -> [String] {
        let widths = columns.map(fittedWidths) ?? naturalWidths
        let headings = self.columns.map { Cell($0.title, tone: .heading) }
        return ([headings] + rows).map { row in
            var line = ""
            var pending = 0
            for (index, cell) in row.prefix(widths.count).enumerated() {
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

    private var naturalWidths: [Int] {
        columns.indices.map { index in
            rows.reduce(DisplayText.width(columns[index].title)) { max($0, DisplayText.width($1[index].text)) }
        }
    }

    /// Of the columns that are shown.
    private func fittedWidths(_ widest: Int) -> [Int] {
        var widths = naturalWidths
        func least(_ index: Int) -> Int { columns[index].least.map { min($0, widths[index]) } ?? widths[index] }
        // Two say what a row is about; any other is worth less than their being whole.
        while widths.count > 2, Self.total(widths.indices.map(least)) > widest { widths.removeLast() }
        for index in widths.indices.reversed() {
            widths[index] -= min(max(0, Self.total(widths) - widest), widths[index] - least(index))
        }
        while Self.total(widths) > widest, let index = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[index] > 1
        {
            widths[index] -= 1
        }
        return widths
    }

    private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }
}
