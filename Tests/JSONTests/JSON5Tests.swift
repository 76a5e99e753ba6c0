import JSON
import Testing

/// The dialect `.json5`, along the examples of its specification.
struct JSON5Tests {
    @Test func `the example that opens the specification is read`() throws {
        let text = #"""
            {
              // comments
              unquoted: 'and you can quote me on that',
              singleQuotes: 'I can use "double quotes" here',
              lineBreaks: "Look, Mom! \
            No \\n's!",
              hexadecimal: 0xdecaf,
              leadingDecimalPoint: .8675309, andTrailing: 8675309.,
              positiveSign: +1,
              trailingComma: 'in objects', andIn: ['arrays',],
              "backwardsCompatible": "with JSON",
            }
            """#
        #expect(
            try JSONParser.parse(text, dialect: .json5) == [
                "unquoted": "and you can quote me on that", "singleQuotes": "I can use \"double quotes\" here",
                "lineBreaks": "Look, Mom! No \\n's!", "hexadecimal": 0xdecaf, "leadingDecimalPoint": 0.8675309,
                "andTrailing": 8675309.0, "positiveSign": 1, "trailingComma": "in objects", "andIn": ["arrays"],
                "backwardsCompatible": "with JSON",
            ])
    }

    private static let accepted: [(String, JSONValue)] = [
        ("/* a * / ** // b */ 1 // c", 1), ("//a\r1", 1), ("//a\u{2028}1", 1), ("//a\u{2029}1", 1), ("/**/1/***/", 1),
        ("1//", 1),
        ("\u{FEFF}\u{A0}\u{B}\u{C}\u{2028}\u{2029}\u{3000}1\u{FEFF}", 1), ("[/*,*/]", []), ("[1/**/,//\n]", [1]),
        ("{/**/}", [:]),
        (
            "{$_a1: 1, ünï: 2, \\u0061b: 3, null: 4, Infinity: 5, 日本: 6}",
            ["$_a1": 1, "ünï": 2, "ab": 3, "null": 4, "Infinity": 5, "日本": 6]
        ),
        ("{'a b': 1}", ["a b": 1]), ("{a:1,}", ["a": 1]), ("{a/**/:/**/1/**/}", ["a": 1]),
        ("+5", 5), ("-5", -5), ("+0", 0), ("5.", 5.0), (".5", 0.5), ("-.5", -0.5), ("+.5e1", 5.0), ("5.e1", 50.0),
        ("0.", 0.0),
        ("0xC8", 200), ("-0XfF", -255), ("+0x0", 0), ("0x7fffffffffffffffffffffffffffffff", .integer(.max)),
        ("-0x80000000000000000000000000000000", .integer(.min)),
        ("0x80000000000000000000000000000000", .number(0x1p127)), ("0x1e5", 0x1e5),
        ("1e400", .number(.infinity)), ("-1e400", .number(-.infinity)), ("Infinity", .number(.infinity)),
        ("+Infinity", .number(.infinity)),
        ("-Infinity", .number(-.infinity)),
        (#"'\x41\u0042\v\0\'\"\a\-\ü\😀'"#, "AB\u{B}\0'\"a-ü😀"),
        ("'a\\\nb\\\r\nc\\\rd\\\u{2028}e\\\u{2029}f'", "abcdef"),
        ("'\t\u{1}\u{2028}'", "\t\u{1}\u{2028}"), (#"'\xe9\/'"#, "é/"), (#"'\ud83d\ude00'"#, "😀"), ("\"'\"", "'"),
        ("'\\0a'", "\0a"),
    ]

    @Test(arguments: accepted) func `text of the wider grammar gives its value`(text: String, value: JSONValue) throws {
        #expect(try JSONParser.parse(text, dialect: .json5) == value)
    }

    @Test(arguments: ["NaN", "+NaN", "-NaN"]) func `NaN stays visible`(text: String) throws {
        let number = try #require(try JSONParser.parse(text, dialect: .json5).doubleValue)
        #expect(number.isNaN)
    }

    @Test(arguments: [
        "", "//", "/*", "/* *", "/*/", "/", "1 /", "[,]", "[1,,]", "{,}", "{a:1,,}", "{a}", "{a:}", "{a 1}", "{1a:1}",
        "{-a:1}", "{a-b:1}",
        "{\\x61:1}", "{\\ud800:1}", "{\\u0031:1}", "{\u{200C}:1}", "{😀:1}", "01", "00", "+", "-", ".", "+.", ".e1",
        "5e", "0x", "0xg", "0x1.5", "- 5", "--5",
        "5a", "0b1", "1_0", "infinity", "nan", "'", "'a", "'\\", "'a\nb'", "'a\rb'", "'\\1'", "'\\9'", "'\\01'",
        "'\\x4'", "'\\xg0'", "'\\u{41}'",
        #"'\ud800'"#, #"{'\udc00': 1}"#, "'a\"", "a", "{a:1}}", "#c", "[1 2]",
    ]) func `text beyond the grammar is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text, dialect: .json5) }
    }
}
