import JSON
import Testing

/// What costs only the value that holds it in the dialect `.json`.
struct LeniencyTests {
    @Test(arguments: [
        "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1E+999999999999", #""\ud800""#, #""\udc00""#,
        #""a\uD834b""#,
        #""\ud800\n""#, #""\ud800\u0041""#, #""\udc00\ud800""#, #""\ud800\ud800\udc00""#, #""\ud834\ud834""#,
        #""\ud800\\u""#,
    ]) func `a value that nothing can hold becomes null and its neighbours stay`(text: String) throws {
        #expect(try JSONParser.parse(text) == .null)
        #expect(try JSONParser.parse("[1, \(text), 2]") == [1, nil, 2])
        #expect(try JSONParser.parse("{\"a\": \(text), \"b\": 2}") == ["a": nil, "b": 2])
    }

    @Test func `a member whose key nothing can hold is dropped`() throws {
        #expect(try JSONParser.parse(#"{"a": 1, "\ud800": {"b": [2]}, "c": 3}"#) == ["a": 1, "c": 3])
        #expect(try JSONParser.parse(#"{"\ud800": 1}"#) == [:])
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(#"{"\ud800": 1,}"#) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(#"{"\ud800": 1 "a": 2}"#) }
    }
}
