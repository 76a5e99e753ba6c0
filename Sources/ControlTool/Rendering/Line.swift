/// One line of a live view: pieces of text with their tones, cut where the terminal ends.
struct Line {
    private var pieces: [(text: String, tone: Palette.Tone)] = []

    init(_ text: String = "", tone: Palette.Tone = .plain) {
        add(text, tone: tone)
    }

    /// Columns on a terminal.
    var width: Int { pieces.reduce(0) { $0 + DisplayText.width($1.text) } }

    /// Text of any origin: it is cleaned here.
    mutating func add(_ text: String, tone: Palette.Tone = .plain) {
        pieces.append((DisplayText.clean(text), tone))
    }

    /// The text in a field of so many columns: cut, or filled up with spaces before or behind.
    mutating func add(_ text: String, in columns: Int, isRightAligned: Bool = false, tone: Palette.Tone = .plain) {
        let text = DisplayText.truncate(DisplayText.clean(text), to: columns)
        let padding = String(repeating: " ", count: max(0, columns - DisplayText.width(text)))
        if isRightAligned { pieces.append((padding, .plain)) }
        pieces.append((text, tone))
        if !isRightAligned { pieces.append((padding, .plain)) }
    }

    /// As it is written, at most so many columns wide.
    func text(_ palette: Palette, columns: Int) -> String {
        var rest = columns
        var result = ""
        for piece in pieces where rest > 0 {
            let text = DisplayText.truncate(piece.text, to: rest)
            rest -= DisplayText.width(text)
            result += palette.paint(text, piece.tone)
        }
        return result
    }
}
