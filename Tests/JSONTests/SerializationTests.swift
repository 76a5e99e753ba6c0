import JSON
import Testing

struct SerializationTests {
    /// Each verified with Python: `json.dumps(value)`.
    private static let numbers: [(Double, String)] = [
        (0, "0.0"), (-0.0, "-0.0"), (5, "5.0"), (100, "100.0"), (-1500, "-1500.0"), (0.1, "0.1"),
        (1.0 / 3, "0.3333333333333333"),
        (1e15, "1000000000000000.0"), (9007199254740991, "9007199254740991.0"),
        (9007199254740992, "9007199254740992.0"),
        (9007199254740994, "9007199254740994.0"), (-9007199254740994, "-9007199254740994.0"),
        (9999999999999998, "9999999999999998.0"),
        (1e16, "1e+16"), (-1e16, "-1e+16"), (1.2345678901234568e17, "1.2345678901234568e+17"), (1e22, "1e+22"),
        (2e23, "2e+23"),
        (1.2345678901234567e19, "1.2345678901234567e+19"), (1e100, "1e+100"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1e-4, "0.0001"), (0.0001234, "0.0001234"), (1e-5, "1e-05"), (1e-7, "1e-07"), (-1.5e-10, "-1.5e-10"),
        (.leastNonzeroMagnitude, "5e-324"),
    ]

    @Test(arguments: numbers) func `doubles are written as Python writes them`(number: Double, text: String) {
        #expect(JSONValue.number(number).serialized() == text)
    }

    @Test func `a number lexeme is written by its value`() throws {
        let value = try JSONParser.parse("[1E2, -0, -0.0, 1.50, 12345678901234567890, 9223372036854775807]")
        #expect(value.serialized() == "[100.0,0,-0.0,1.5,12345678901234567890,9223372036854775807]")
    }

    @Test func `numbers that are not finite are written as null`() {
        #expect(
            JSONValue.array([.number(.nan), .number(.infinity), .number(-.infinity)]).serialized() == "[null,null,null]"
        )
    }

    @Test func `only what must be escaped is escaped`() {
        let text = "\"\\/\u{8}\u{C}\n\r\t\0\u{1}\u{1F}\u{7F}é😀\u{2028}"
        #expect(JSONValue.string(text).serialized() == #""\"\\/\b\f\n\r\t\u0000\u0001\u001f"# + "\u{7F}é😀\u{2028}\"")
    }

    @Test func `sorted keys go by their UTF-8 bytes`() {
        let value: JSONValue = ["b": 1, "😀": 2, "\u{FFFD}": 3, "a": 4, "": 5, "ab": 6, "B": 7, "é": 8, "e\u{301}": 9]
        #expect(
            value.serialized(sortedKeys: true)
                == "{\"\":5,\"B\":7,\"a\":4,\"ab\":6,\"b\":1,\"e\u{301}\":9,\"é\":8,\"\u{FFFD}\":3,\"😀\":2}")
    }

    /// Verified with Python: `json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`.
    @Test func `the canonical form is that of Python`() throws {
        let text = #"""
            { "u": "{\"pw_stories\": {\"pages\": [{\"image\": \"https:\/\/e.com\/a.jpg\"}]}}", "aps": {"mutable-content": 1,
              "alert": {"title": "Grüße", "body": null}}, "n": [1.0, 1E2, 1e-7, 1e16, true, false, [], {}], "A": "\u0007\u001b" }
            """#
        let canonical =
            #"{"A":"\u0007\u001b","aps":{"alert":{"body":null,"title":"Grüße"},"mutable-content":1},"#
            + #""n":[1.0,100.0,1e-07,1e+16,true,false,[],{}],"#
            + #""u":"{\"pw_stories\": {\"pages\": [{\"image\": \"https://e.com/a.jpg\"}]}}"}"#
        #expect(try JSONParser.parse(text).serialized(.compact, sortedKeys: true) == canonical)
    }

    @Test func `pretty text has a line for each member and element`() {
        let value: JSONValue = ["b": [1, [], ["c": nil]], "a": [:], "d": [[]]]
        let text = """
            {
              "b": [
                1,
                [],
                {
                  "c": null
                }
              ],
              "a": {},
              "d": [
                []
              ]
            }
            """
        #expect(value.serialized(.pretty) == text)
        #expect(value.serialized(.pretty, sortedKeys: true).hasPrefix("{\n  \"a\": {},\n  \"b\": ["))
        #expect(Array(text.utf8) == value.serializedBytes(.pretty))
    }

    @Test func `pretty text of deep nesting is no longer than twice the compact one`() {
        let deep = (0..<400).reduce(JSONValue.array(Array(repeating: 1, count: 10_000))) { inner, _ in [inner] }
        let value: JSONValue = ["user_info": deep]
        #expect(value.serializedBytes(.pretty).count < 2 * value.serializedBytes(.compact).count)
    }
}
