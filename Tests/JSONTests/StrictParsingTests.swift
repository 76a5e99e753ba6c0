import JSON
import Testing

/// The dialect `.json`: what RFC 8259 takes and what it refuses.
struct StrictParsingTests {
    private static let accepted: [(String, JSONValue)] = [
        ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("\"\"", ""), ("[]", []), ("{}", [:]),
        (" \t\r\n[ \t\r\n] \t\r\n", []), (" { } ", [:]), ("[[]   ]", [[]]), ("[1,2 , 3]", [1, 2, 3]),
        ("[null, 1, \"1\", {}]", [nil, 1, "1", [:]]), (#"{"a":{"b":[{"c":null}]}}"#, ["a": ["b": [["c": nil]]]]),
        (#"{"":0}"#, ["": 0]), (#"{"a" : 1 , "b":2}"#, ["a": 1, "b": 2]),
        // Numbers.
        ("9223372036854775807", .integer(0x7FFF_FFFF_FFFF_FFFF)),
        ("18446744073709551615", .integer(Int128(UInt64.max))),
        ("170141183460469231731687303715884105727", .integer(.max)),
        ("-170141183460469231731687303715884105728", .integer(.min)),
        ("170141183460469231731687303715884105728", .number(0x1p127)),
        ("1e19", .number(1e19)),
        ("1.0", .number(1)), ("-0.0", .number(-0.0)), ("0e1", .number(0)), ("0E+1", .number(0)), ("1E2", .number(100)),
        ("1e-2", .number(0.01)), ("-1.5e+3", .number(-1500)), ("123.456e78", .number(123.456e78)),
        ("1e-400", .number(0)), ("5e-324", .number(.leastNonzeroMagnitude)),
        ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
        // Strings.
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0060\u012a\u12AB""#, "\u{60}\u{12A}\u{12AB}"),
        (#""\uD801\udc37""#, "\u{10437}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""a\u0000b""#, "a\0b"),
        (#""\uFFFF""#, "\u{FFFF}"), (#""\\u0000""#, #"\u0000"#), (#""\u005C\u0022""#, #"\""#),
        ("\"\u{7F}\"", "\u{7F}"), ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), ("\"größe €😀\"", "größe €😀"),
        ("\"a/*b*/c//d\"", "a/*b*/c//d"), ("\"'\"", "'"),
    ]

    @Test(arguments: accepted) func `valid text gives its value`(text: String, value: JSONValue) throws {
        #expect(try JSONParser.parse(text) == value)
    }

    @Test(arguments: [
        "", " ", "\n", "[", "]", "{", "}", "[1", "[1,", "[,", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1]]", "[1],", "[}",
        "{]",
        "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\"::1}",
        "{\"a\":1,,\"b\":2}",
        "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{\"a\":1 \"b\":2}", "{\"a\":\"b\"}#", "{\"a\",\"b\"}", "{[]:1}",
        "{\"a\":1}}",
        "nul", "nulL", "truE", "tru", "True", "fals", "falsee", "nullx", "undefined", "nan", "inf", "infinity", "-inf",
        "Inf", "-NaN",
        "+NaN", "+Infinity", "Infinit", "Na",
        "1 2", "1,", "a", "'a'", "`a`", "*", "#", "\\", "/", "//", "[1]//c", "/**/1", "1/**/", "[1,/*c*/2]", "#c\n1",
        "01", "-01", "00", "-", "+1", "--1", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1e-", "1E", "1eE2", "1e1.5",
        "0x1", "0x", "1_000",
        "1a", "-a", "0.1.2", "1.2.3", "1+2", "[-]", "[1.]", "１",
        "\"", "\"a", "\"\\", "\"\\\"", "\"\\a\"", "\"\\x41\"", "\"\\'\"", "\"\\0\"", "\"\\v\"", "\"\\u\"", "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\U0041\"", "\"\\ud800\\u\"", "\"\\ud800\\u12\"", "\"\\u 041\"", "\"\\u+041\"", "\"\\\n\"", "\"a\nb\"",
        "\"a\tb\"", "\"a\0b\"",
        "\"a\u{1F}b\"", "\"a\"b", "\u{A0}1", "1\u{2028}", "\u{B}1", "\u{C}1", "1\0", "\0", "[1\u{FEFF}]",
        "\u{FEFF}\u{FEFF}1", "\u{FEFF}",
    ]) func `invalid text is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
    }

    @Test(
        arguments: [
            [0xFF], [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22], [0x31, 0xC3], [0x22, 0xC3], [0xEF, 0xBB],
            [0xFE, 0xFF, 0, 0x31],
        ] as [[UInt8]]) func `bytes that are no UTF-8 are refused, wherever they stand`(bytes: [UInt8])
    {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
        #expect(error?.message == "not valid UTF-8")
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes, dialect: .json5) }
    }

    @Test func `a byte order mark at the start is passed over`() throws {
        #expect(try JSONParser.parse([0xEF, 0xBB, 0xBF, 0x31]) == 1)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"]) func `nesting is refused below the limit, not by the stack`(
        open: String
    ) {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(String(repeating: open, count: 100_000))
        }
        #expect(error?.message == "nested deeper than 512")
    }

    @Test func `nesting as deep as the limit is read, held and written`() throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let value = try JSONParser.parse(text)
        #expect(value.serialized() == text)
        #expect(try value == JSONParser.parse(text))
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse("[" + text + "]") }
        #expect(try JSONParser.parse("[[],[],{}]", maximumDepth: 2) == [[], [], [:]])
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse("[[[]]]", maximumDepth: 2) }
    }

    @Test func `numbers of thousands of digits are read`() throws {
        let nines = String(repeating: "9", count: 100_000)
        #expect(try JSONParser.parse("[0.\(nines), \(nines), 1e\(nines), 1e-\(nines)]") == [1.0, nil, nil, 0.0])
    }
}
