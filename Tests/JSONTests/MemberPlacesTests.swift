import JSON
import Testing

struct MemberPlacesTests {
    private func place(_ text: String, _ path: String...) throws -> [Int]? {
        let places = try JSONParser.parseNotingPlaces(Array(text.utf8), dialect: .json5).places
        return places.place(of: path).map { [$0.line, $0.column] }
    }

    @Test func `keys of the root and of its members have places, however they are written`() throws {
        let text = "\u{FEFF}{ a: 1,\r\n 'b': {\"c\": [],\r  \\u0064: {e: 2}}}"
        #expect(try place(text, "a") == [1, 3])
        #expect(try place(text, "b") == [2, 2])
        #expect(try place(text, "b", "c") == [2, 8])
        #expect(try place(text, "b", "d") == [3, 3])
        #expect(try place(text, "b", "d", "e") == nil)
        #expect(try place(text, "c") == nil)
    }

    @Test func `of equal keys it is the last, and those within arrays have none`() throws {
        #expect(try place("{a: {b: 1}, a: {b: 2}}", "a", "b") == [1, 17])
        #expect(try place("{a: [{b: 1}]}", "a", "b") == nil)
        #expect(try place("[{a: 1}]", "a") == nil)
        #expect(try place("{a: [[{b: 1}]], b: 2}", "b") == [1, 17])
    }

    @Test func `noting places changes nothing in what is read`() throws {
        let text = Array("{a: {b: [1, {c: null}], 'd': NaN}, e: 5}".utf8)
        let plain = try JSONParser.parse(text, dialect: .json5)
        let noted = try JSONParser.parseNotingPlaces(text, dialect: .json5).value
        #expect(plain.serialized() == noted.serialized())
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parseNotingPlaces(Array("{a".utf8)) }
    }
}
