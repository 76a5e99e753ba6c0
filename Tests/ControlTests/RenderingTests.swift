import Platform
import Testing

@testable import ControlTool

@Suite("What people read")
struct RenderingTests {
    @Test(
        "Bytes are told in the unit that fits",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (48_213, "47.1 KiB"), (1_048_575, "1.0 MiB"),
            (1_048_576, "1.0 MiB"), (3_456_789, "3.3 MiB"), (1_073_741_824, "1.0 GiB"), (Int.max, "8388608.0 TiB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(Figures.size(bytes) == text)
    }

    @Test(
        "Spans are told in their two largest units",
        arguments: [
            (0, "0 s"), (45, "45 s"), (60, "1 min"), (185, "3 min 5 s"), (3600, "1 h"), (3605, "1 h"),
            (93_784, "1 d 2 h"), (-5, "0 s"),
        ])
    func spans(seconds: Int, text: String) {
        #expect(Figures.span(seconds: seconds) == text)
    }

    @Test(
        "Moments are told by their distance",
        arguments: [
            (0, "just now"), (4, "just now"), (-4, "just now"), (5, "5 s ago"), (59, "59 s ago"), (60, "1 min ago"),
            (3599, "59 min ago"), (3600, "1 h ago"), (86_400, "1 d ago"), (2_592_000, "30 d ago"),
            (2_592_001, "2026-01-02"), (-180, "in 3 min"),
        ] as [(Int64, String)])
    func ages(seconds: Int64, text: String) throws {
        let moment = try #require(Timestamp("2026-01-02T03:04:05.000Z"))
        let now = Timestamp(milliseconds: moment.milliseconds + seconds * 1000)
        #expect(Figures.age(of: moment, now: now) == text)
    }

    @Test(
        "Widths are those of a terminal",
        arguments: [
            ("abc", 3), ("日本語", 6), ("สวัสดี", 4), ("e\u{301}", 1), ("🎉", 2), ("Привет", 6), ("", 0),
        ])
    func widths(text: String, columns: Int) {
        #expect(DisplayText.width(text) == columns)
    }

    @Test(
        "Text is cut between letters and never too wide",
        arguments: ["日本語の通知です", "สวัสดีชาวโลก", "ওহে বিশ্ব, কেমন আছো", "👨‍👩‍👧 family 🎉🎉🎉", "e\u{301}e\u{301}e\u{301}e\u{301}"])
    func truncation(text: String) {
        for columns in 1..<DisplayText.width(text) {
            let cut = DisplayText.truncate(text, to: columns)
            #expect(DisplayText.width(cut) <= columns)
            #expect(cut.last == "…" && text.hasPrefix(cut.dropLast()))
        }
        #expect(DisplayText.truncate(text, to: DisplayText.width(text)) == text)
    }

    @Test("Nothing from outside reaches the terminal as a command")
    func cleaning() {
        #expect(DisplayText.clean("a\u{1B}[31mred\u{7}") == "a\u{FFFD}[31mred\u{FFFD}")
        #expect(DisplayText.clean("two\nlines\ttab\r\u{2028}end\u{85}") == "two lines tab  end ")
        #expect(DisplayText.clean("\u{202E}gpj\u{2066}\u{9B}") == "\u{FFFD}gpj\u{FFFD}\u{FFFD}")
        #expect(DisplayText.clean("👨‍👩‍👧 สวัสดี") == "👨‍👩‍👧 สวัสดี")
    }

    @Test("A table is aligned, its last columns cut first, no line wider than a terminal")
    func table() {
        var table = Table([
            Table.Column(title: "ID", least: 14), Table.Column(title: "N", isRightAligned: true),
            Table.Column(title: "TITLE", least: 12),
        ])
        table.append(["日本", "7", "plain"])
        table.append(["b", "1234", Table.Cell(String(repeating: "long ", count: 40))])
        let lines = table.lines(Palette(isColoured: false))
        #expect(lines[0] == "ID       N  TITLE")
        #expect(lines[1] == "日本     7  plain")
        #expect(DisplayText.width(lines[2]) == 80)
        #expect(lines[2].hasPrefix("b     1234  long long") && lines[2].hasSuffix("…"))
    }

    @Test("Colours change no column")
    func colours() {
        var table = Table([Table.Column(title: "A"), Table.Column(title: "B")])
        table.append([Table.Cell("x", tone: .good), "y"])
        #expect(
            table.lines(Palette(isColoured: true)) == [
                "\u{1B}[1mA\u{1B}[0m  \u{1B}[1mB\u{1B}[0m", "\u{1B}[32mx\u{1B}[0m  y",
            ])
    }

    @Test("Colours are for terminals whose user has not said no")
    func palette() {
        func isColoured(_ isTerminal: Bool, _ variables: [String: String]) -> Bool {
            Surroundings(isTerminal: isTerminal, isRoot: false, variables: variables, now: .now()).palette.isColoured
        }
        #expect(isColoured(true, [:]))
        #expect(isColoured(true, ["NO_COLOR": ""]))
        #expect(!isColoured(true, ["NO_COLOR": "1"]))
        #expect(!isColoured(true, ["TERM": "dumb"]))
        #expect(!isColoured(false, [:]))
    }
}
