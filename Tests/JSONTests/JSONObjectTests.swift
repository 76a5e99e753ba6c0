import JSON
import Testing

struct JSONObjectTests {
    @Test func `members keep their order`() throws {
        let object = try #require(try JSONParser.parse(#"{"z":1,"a":2,"m":{"y":0,"b":0}}"#).objectValue)
        #expect(object.keys == ["z", "a", "m"])
        #expect(object["m"]?.objectValue?.keys == ["y", "b"])
        #expect(JSONValue.object(object).serialized() == #"{"z":1,"a":2,"m":{"y":0,"b":0}}"#)
    }

    @Test func `of equal keys the last wins, in the place of the first`() throws {
        let object = try #require(try JSONParser.parse(#"{"a":1,"b":2,"\u0061":{"c":3}}"#).objectValue)
        #expect(JSONValue.object(object).serialized() == #"{"a":{"c":3},"b":2}"#)
        #expect(JSONObject([("a", 1), ("a", 2)]).count == 1)
        #expect((["a": 1, "a": 2] as JSONObject)["a"] == 2)
    }

    @Test func `composed and decomposed letters are two keys, two strings`() throws {
        let value = try JSONParser.parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
        let object = try #require(value.objectValue)
        #expect(object.count == 2)
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != JSONValue.string("e\u{301}"))
        #expect((["\u{E9}": 1] as JSONValue) != ["e\u{301}": 1])
    }

    @Test(arguments: [3, 16, 17, 18, 500]) func `members are set, found and removed at any size`(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["key\(number)"] = JSONValue(number) }
        object["\u{E9}"] = "composed"
        object["e\u{301}"] = "decomposed"
        #expect(object.count == count + 2)
        object["key1"] = "changed"
        object["key0"] = nil
        object["absent"] = nil
        #expect(object.count == count + 1)
        #expect(object["key0"] == nil)
        #expect(object["key1"] == "changed")
        #expect(object["key\(count - 1)"] == JSONValue(count - 1))
        #expect(object["\u{E9}"] == "composed")
        #expect(object["e\u{301}"] == "decomposed")
        #expect(object.keys.first == "key1")
        object["key0"] = .null
        #expect(object.keys.last == "key0")
        #expect(object["key0"] == .some(.null))
        for key in object.keys { object[key] = nil }
        #expect(object.isEmpty)
        #expect(object == [:])
    }

    @Test func `equality ignores order and sees values`() {
        #expect((["a": 1, "b": [2]] as JSONObject) == ["b": [2], "a": 1])
        #expect((["a": 1] as JSONObject) != ["a": 2])
        #expect((["a": 1] as JSONObject) != ["a": 1.0])
        #expect((["a": 1] as JSONObject) != ["b": 1])
        #expect((["a": nil] as JSONObject) != [:])
    }

    @Test(.timeLimit(.minutes(1))) func `a hundred thousand keys do not cost their square`() throws {
        let members = (0..<100_000).map { "\"\($0 % 50_000)\":\($0)" }.joined(separator: ",")
        let object = try #require(try JSONParser.parse("{\(members)}").objectValue)
        #expect(object.count == 50_000)
        #expect(object["7"] == 50_007)
    }
}
