/// A terminal's screen, as far as programs of this package use it: what people see of the bytes that were written there.
/// Each character takes one column.
package struct TerminalScreen {
    package let columns: Int
    package let rows: Int
    package private(set) var isAlternate = false
    package private(set) var isCursorHidden = false
    /// Whether a colour was asked for.
    package private(set) var hasColour = false
    /// What is not understood here.
    package private(set) var unknown: [String] = []
    private var cells: [[Character]]
    private var other: (cells: [[Character]], row: Int, column: Int)?
    private(set) var row = 0
    private(set) var column = 0
    private var pending = ""

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Self.blank(columns, rows)
    }

    /// The lines, without spaces at their ends and without empty lines at the end.
    package var lines: [String] {
        var lines = cells.map { row in
            var text = String(row)
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Takes what is written to the terminal; a sequence may come in pieces.
    package mutating func write(_ text: String) {
        for scalar in text.unicodeScalars {
            if !pending.isEmpty {
                pending.unicodeScalars.append(scalar)
                let isEnd = pending.unicodeScalars.count > 2 && (0x40...0x7E).contains(scalar.value)
                if isEnd || (pending.unicodeScalars.count == 2 && scalar != "[") {
                    obey(pending)
                    pending = ""
                }
                continue
            }
            switch scalar {
            case "\u{1B}": pending = "\u{1B}"
            case "\r": column = 0
            case "\n": lineFeed()
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        if column == columns { lineFeed() }
        cells[row][column] = character
        column += 1
    }

    /// As the kernel writes it where OPOST is on: to the beginning of the next line.
    private mutating func lineFeed() {
        column = 0
        row += 1
        guard row == rows else { return }
        row -= 1
        cells.removeFirst()
        cells.append([Character](repeating: " ", count: columns))
    }

    private mutating func obey(_ sequence: String) {
        let body = sequence.dropFirst(2).dropLast()
        let number = Int(body) ?? 1
        switch (sequence.last, body) {
        case ("m", _): hasColour = true
        case ("F", _):
            row = max(0, row - number)
            column = 0
        case ("H", ""): (row, column) = (0, 0)
        case ("K", ""): clear(row, from: column)
        case ("J", ""):
            clear(row, from: column)
            for row in row + 1..<max(rows, row + 1) { clear(row, from: 0) }
        case ("l", "?25"): isCursorHidden = true
        case ("h", "?25"): isCursorHidden = false
        case ("h", "?1049"):
            isAlternate = true
            other = (cells, row, column)
            cells = Self.blank(columns, rows)
        case ("l", "?1049"):
            isAlternate = false
            if let other { (cells, row, column) = other }
        default: unknown.append(sequence)
        }
    }

    private mutating func clear(_ row: Int, from column: Int) {
        for column in column..<max(columns, column) { cells[row][column] = " " }
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[Character]] {
        [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
    }
}
