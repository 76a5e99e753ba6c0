import JSON
import Testing

struct FieldTests {
    private let object: JSONObject = [
        "text": "a", "whole": 5, "wholeDouble": 6.0, "half": 0.5, "flag": true, "list": [1], "map": ["k": 1],
        "nothing": nil,
    ]

    @Test func `members are read by type`() throws {
        #expect(try object.string("text") == "a")
        #expect(try object.integer("whole") == 5)
        #expect(try object.integer("wholeDouble") == 6)
        #expect(try object.double("whole") == 5)
        #expect(try object.double("half") == 0.5)
        #expect(try object.bool("flag"))
        #expect(try object.array("list") == [1])
        #expect(try object.object("map") == ["k": 1])
        #expect(try object.optionalString("text") == "a")
        #expect(try object.optionalInteger("whole") == 5)
        #expect(try object.optionalObject("map") == ["k": 1])
    }

    @Test(arguments: ["absent", "nothing"]) func `an optional member may be absent or null`(key: String) throws {
        #expect(try object.optionalString(key) == nil)
        #expect(try object.optionalInteger(key) == nil)
        #expect(try object.optionalObject(key) == nil)
    }

    @Test func `an error names the member, what it should be and what it is`() {
        let missing = #expect(throws: JSONFieldError.self) { try object.string("absent") }
        #expect(missing?.description == #""absent": expected a string, found nothing"#)
        #expect(missing?.field == "absent")
        #expect(missing?.expected == "a string")
        let null = #expect(throws: JSONFieldError.self) { try object.array("nothing") }
        #expect(null?.description == #""nothing": expected an array, found null"#)
        let wrong = #expect(throws: JSONFieldError.self) { try object.optionalObject("text") }
        #expect(wrong?.description == #""text": expected an object, found a string"#)
        let fraction = #expect(throws: JSONFieldError.self) { try object.integer("half") }
        #expect(fraction?.description == #""half": expected an integer, found a number"#)
        let truth = #expect(throws: JSONFieldError.self) { try object.double("flag") }
        #expect(truth?.description == #""flag": expected a number, found true"#)
        #expect(throws: JSONFieldError.self) { try object.bool("whole") }
    }
}
