import JSON
import Stories
import Testing

/// Where the block is looked for, and what is said where there is none.
struct StorySearchTests {
    private static func block(_ title: String) -> JSONValue {
        ["pages": [["image": "https://example.com/1.jpg", "title": .string(title)]]]
    }

    private static func inText(_ value: JSONValue) -> JSONValue { .string(value.serialized()) }

    @Test func `the places are searched in order: root, u, userdata, text at the root`() throws {
        let places: [(String, JSONValue)] = [
            ("pw_stories", Self.block("root")), ("u", ["pw_stories": Self.block("u")]),
            ("userdata", Self.inText(["pw_stories": Self.block("userdata")])),
        ]
        for first in places.indices {
            var userInfo = JSONObject(places[first...].reversed())
            if first > 0 { userInfo["pw_stories"] = Self.inText(Self.block("text")) }
            #expect(try story(.object(userInfo)).pages.map(\.title) == [["root", "u", "userdata"][first]])
        }
        #expect(try story(["pw_stories": Self.inText(Self.block("text"))]).pages.map(\.title) == ["text"])
    }

    @Test(arguments: [["pages": [7]], ["pages": "none"], [:]] as [JSONValue])
    func `an object at the root wins, however bad its pages`(bad: JSONValue) throws {
        let story = try story(["pw_stories": bad, "u": ["pw_stories": Self.block("u")]])
        #expect(story.pages.isEmpty)
        #expect(story.fallbackReason != nil)
    }

    @Test(
        arguments: [
            ["pw_stories": nil], ["pw_stories": []], ["pw_stories": 1], ["pw_stories": "none"], ["u": ""], ["u": "{"],
            ["u": 7], ["u": [1]], ["u": true], ["u": "[]"], ["u": "null"], ["u": ["pw_stories": []]],
            ["u": ["pw_stories": "{\"pages\":[]}"]], ["u": "{\"pw_stories\": 1}"],
        ] as [JSONObject])
    func `what is of the wrong form is passed over, and said where nothing better is found`(
        bad: JSONObject
    ) throws {
        #expect(try story(.object(bad)).fallbackReason == .malformed)
        var better = bad
        better["userdata"] = ["pw_stories": Self.block("better")]
        #expect(try story(.object(better)).pages.map(\.title) == ["better"])
    }

    @Test(
        arguments: [
            [:], ["u": nil], ["u": [:]], ["u": "{}"], ["u": ["deal": 7], "userdata": nil], ["userdata": "{\"a\": 1}"],
            ["PW_STORIES": ["pages": []]], ["aps": ["pw_stories": ["pages": []]]],
        ] as [JSONObject])
    func `without a block anywhere the block is missing`(userInfo: JSONObject) throws {
        #expect(try story(.object(userInfo)).fallbackReason == .missing)
    }

    @Test(
        arguments: [
            ([:], .empty), (["pages": nil], .empty), (["pages": []], .empty), (["pages": [:]], .malformed),
            (["pages": "[]"], .malformed), (["pages": 1], .malformed), (["pages": [nil]], .noUsablePages),
        ] as [(JSONValue, FallbackReason)])
    func `a block without a usable page says why`(block: JSONValue, reason: FallbackReason) throws {
        for userInfo: JSONObject in [["pw_stories": block], ["u": ["pw_stories": block]]] {
            #expect(try story(.object(userInfo)).fallbackReason == reason)
        }
    }

    @Test func `custom data in text may nest as deep as a payload, and no deeper`() throws {
        func nested(_ depth: Int) -> JSONValue {
            let filler = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return .string("{\"pw_stories\": \(Self.block("deep").serialized()), \"filler\": \(filler)}")
        }
        #expect(try story(["u": nested(PayloadParser.maximumDepth)]).pages.count == 1)
        #expect(try story(["u": nested(PayloadParser.maximumDepth + 1)]).fallbackReason == .malformed)
        #expect(try story(["u": nested(100_000)]).fallbackReason == .malformed)
    }

    @Test func `half a surrogate pair or a number without bounds costs only its own value`() throws {
        let text = #"""
            {"u": {"pw_stories": {"pages": [
              {"image": "https://example.com/1.jpg", "title": "\ud83d", "duration": 1e400, "subtitle": "kept"}]}},
             "aps": {"alert": {"title": "\udc00", "body": "kept"}, "badge": NaN}}
            """#
        let story = try story(Array(text.utf8))
        let page = try #require(story.pages.first)
        #expect(page.title == nil && page.duration == 5 && page.subtitle == "kept")
        #expect(story.alert.title == nil && story.alert.body == "kept")
    }
}
