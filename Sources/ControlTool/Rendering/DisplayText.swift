import Platform

/// Text from outside made fit for a terminal, and measured by the columns it takes there.
enum DisplayText {
    /// The text on one line, with nothing in it that a terminal obeys: line breaks and tabs become spaces; other
    /// control characters and those that turn the direction of what follows become `U+FFFD`. Marks that are heaped on one
    /// letter beyond what any script does are left out: so the columns bound the bytes, too.
    static func clean(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            let scalar = isHarmless(scalar) ? scalar : replacement(of: scalar)
            marks = scalar.terminalColumns == 0 ? marks + 1 : 0
            if marks <= mostMarks { result.append(scalar) }
        }
        return String(result)
    }

    private static let mostMarks = 8

    /// Columns on a terminal: East Asian characters and emoji take two, marks that combine none.
    static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + $1.terminalColumns }
    }

    /// The text, cut to so many columns; where something is cut off, it ends in `…`. Letters are never torn from their
    /// marks.
    static func truncate(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        var result = ""
        var used = 1
        for character in text {
            used += width(String(character))
            if used > columns { break }
            result.append(character)
        }
        return result + "…"
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Joiners shape the scripts of India and emoji; the others of this category are invisible or turn text around.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }

    private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.properties.isWhitespace ? " " : "\u{FFFD}"
    }
}
