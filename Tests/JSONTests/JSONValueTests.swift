import JSON
import Testing

struct JSONValueTests {
    @Test func `a truth value is never a number, nor the other way`() {
        #expect(JSONValue.bool(true).doubleValue == nil)
        #expect(JSONValue.bool(true).integerValue == nil)
        #expect(JSONValue.integer(1).boolValue == nil)
        #expect(JSONValue.string("1").doubleValue == nil)
    }

    @Test func `whole numbers are read from either kind`() {
        #expect(JSONValue.integer(5).integerValue == 5)
        #expect(JSONValue.integer(5).doubleValue == 5)
        #expect(JSONValue.integer(0x8000_0000_0000_0000).integerValue == nil)
        #expect(JSONValue.integer(0x8000_0000_0000_0000).doubleValue == 0x1p63)
        #expect(JSONValue.number(5).integerValue == 5)
        #expect(JSONValue.number(5.5).integerValue == nil)
        #expect(JSONValue.number(0x1p63).integerValue == nil)
        #expect(JSONValue.number(-0x1p63).integerValue == .min)
        #expect(JSONValue.number(.nan).integerValue == nil)
        #expect(JSONValue.number(.infinity).integerValue == nil)
    }

    @Test func `each accessor reads its own kind only`() {
        #expect(JSONValue.null.isNull)
        #expect((["a": 1] as JSONValue).objectValue == ["a": 1])
        #expect(([1, "b"] as JSONValue).arrayValue == [1, "b"])
        #expect(("b" as JSONValue).stringValue == "b")
        #expect((true as JSONValue).boolValue == true)
        #expect(([] as JSONValue).objectValue == nil)
        #expect(([:] as JSONValue).arrayValue == nil)
        #expect((1 as JSONValue).stringValue == nil)
        #expect(!(0 as JSONValue).isNull)
    }

    @Test func `an absent value becomes null`() {
        let text: String? = nil
        let number: Int? = nil
        let double: Double? = nil
        let bool: Bool? = nil
        #expect(
            ([JSONValue(text), JSONValue(number), JSONValue(double), JSONValue(bool)] as JSONValue) == [
                nil, nil, nil, nil,
            ])
        let some = 7
        #expect(JSONValue(some) == 7)
        #expect(JSONValue(UInt64.max) == .integer(Int128(UInt64.max)))
        #expect(JSONValue(UInt128.max) == .number(0x1p128))
        #expect(JSONValue("a\(some)" as String?) == "a7")
    }
}
