import Testing

@testable import Platform

/// What a log line may hold.
struct LogTests {
    @Test(arguments: [
        ("a\nb\r\nc", "a b  c"), ("\u{1B}[31mred\u{7}", "\u{FFFD}[31mred\u{FFFD}"),
        ("a\0b\u{7F}", "a\u{FFFD}b\u{FFFD}"),
        ("\u{9B}2J\u{85}x", "\u{FFFD}2J x"), ("\u{2028}\u{2029}", "  "),
        ("\u{202E}gpj.\u{2066}a\u{FEFF}", "\u{FFFD}gpj.\u{FFFD}a\u{FFFD}"), ("tab\tä 猫 👩‍👧", "tab ä 猫 👩‍👧"),
    ])
    func `a text from outside cannot break the line, nor speak to the terminal`(text: String, line: String) {
        #expect(Log.singleLine(text) == line)
    }
}
