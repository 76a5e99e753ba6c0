import JSON
import Testing

/// Where an error is said to be.
struct SyntaxErrorTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let description: String
        var testDescription: String { description }

        init(_ text: String, _ description: String) {
            self.text = text
            self.description = description
        }
    }

    private static let cases = [
        Case("", "line 1, column 1: expected a value, found the end of the text"),
        Case("{\n  a: 1\n  b: 2\n}", "line 3, column 3: expected ',' or '}' after a member"),
        Case("[1,\r\n 2,\r\n 3 4]", "line 3, column 4: expected ',' or ']' after an element"),
        Case("[1,\r2,\r3 4]", "line 3, column 3: expected ',' or ']' after an element"),
        Case("{'größe 👨‍👩‍👧 e\u{301}': ?}", "line 1, column 15: expected a value"),
        Case("\u{FEFF}?", "line 1, column 1: expected a value"),
        Case("\u{FEFF}\n ?", "line 2, column 2: expected a value"),
        Case("{a: 'x\n'}", "line 1, column 7: a control character stands in a string"),
        Case("{\n a: 'x", "line 2, column 5: a string has no end"),
        Case("{\n/* a\n\n", "line 2, column 1: a comment has no end"),
        Case("{a 1}", "line 1, column 4: expected ':' after a key"),
        Case("{a: 012}", "line 1, column 5: a number begins with 0"),
        Case("{a: 1.5e}", "line 1, column 9: expected a digit in the exponent"),
        Case("[-x]", "line 1, column 3: expected a digit after the sign"),
        Case("[tru]", "line 1, column 2: expected a value"),
        Case("{-: 1}", "line 1, column 2: expected a key"),
        Case("'\\uD800'", "line 1, column 2: half a surrogate pair is no character"),
        Case("'ab\\xz'", "line 1, column 4: expected 2 hexadecimal digits in an escape"),
        Case("1\n\n2", "line 3, column 1: unexpected text after the value"),
        Case("\t\t}", "line 1, column 3: expected a value"),
    ]

    @Test(arguments: cases) private func `an error names line, column and reason`(example: Case) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(example.text, dialect: .json5) }
        #expect(error?.description == example.description)
    }

    @Test func `the offset counts bytes`() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse("[\"é\",\n?]") }
        #expect(error?.offset == 7)
        #expect(error?.line == 2)
        #expect(error?.column == 1)
    }

    @Test func `bad UTF-8 is pointed at`() {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse([0x5B, 0x0A, 0xC3, 0xA9, 0x20, 0xFF, 0x5D])
        }
        #expect(error?.description == "line 2, column 3: not valid UTF-8")
    }
}
