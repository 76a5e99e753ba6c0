import JSON
import Stories
import Testing

/// Requests of the Messages API in place of what a device gets.
struct MessagesRequestTests {
    private static let block: JSONValue = ["pw_stories": ["pages": [["image": "https://example.com/1.jpg"]]]]

    private func stories(_ notifications: JSONValue) throws -> [Story] {
        let request: JSONValue = ["request": ["notifications": notifications]]
        return try PayloadParser.stories(from: request.serializedBytes(), limits: PayloadLimits())
    }

    private func story(_ notification: JSONValue) throws -> Story {
        let stories = try stories([notification])
        try #require(stories.count == 1)
        return stories[0]
    }

    @Test func `root parameters are the root, data is u, and the notification wins over what they say`() throws {
        let story = try story([
            "content": "body", "ios_title": "title", "ios_category_custom": "PW_STORIES", "data": Self.block,
            "ios_root_params": [
                "aps": ["alert": ["title": "other", "subtitle": "kept"], "category": "other", "sound": "default"],
                "p": "name", "u": "other", "l": "kept",
            ],
        ])
        let userInfo: JSONObject = [
            "aps": [
                "alert": ["title": "title", "subtitle": "kept", "body": "body"], "category": "PW_STORIES",
                "sound": "default",
            ],
            "p": "name", "u": Self.block, "l": "kept",
        ]
        #expect(story.userInfo == userInfo)
        #expect(story.id.description == "name")
        #expect(story.pages.count == 1)
    }

    @Test func `where the notification says nothing, the root parameters hold`() throws {
        let params: JSONObject = ["aps": ["alert": "text", "category": "c"], "u": Self.block]
        #expect(try story(["ios_root_params": .object(params)]).userInfo == params)
        #expect(try story(["ios_root_params": .object(params), "data": nil]).userInfo == params)
        let titled = try story(["ios_root_params": .object(params), "ios_title": "title"])
        #expect(titled.alert.title == "title" && titled.alert.body == "text")
        #expect(try story([:]).userInfo == [:])
        #expect(try story(["ios_root_params": "none", "send_date": "now"]).userInfo == [:])
    }

    @Test func `custom data in text stays as it is`() throws {
        let story = try story(["data": .string(Self.block.serialized())])
        #expect(story.userInfo["u"] == .string(Self.block.serialized()))
        #expect(story.pages.count == 1)
    }

    @Test(
        arguments: [
            ("plain", "plain"), (["de": "Hallo", "en": "Hello"], "Hello"), (["ru": "Привет", "de": "Hallo"], "Hallo"),
            (["de": 7, "en": nil, "fr": "Bonjour"], "Bonjour"), ([:], nil), (7, nil), (nil, nil), ("", ""),
        ] as [(JSONValue, String?)])
    func `content is a text, or a map of languages: English, else the first by name`(
        content: JSONValue, body: String?
    ) throws {
        #expect(try story(["content": content]).alert.body == body)
    }

    @Test func `notifications that share a p are numbered among themselves`() throws {
        func notification(_ p: String?, _ content: String) -> JSONValue {
            ["ios_root_params": ["p": JSONValue(p)], "content": .string(content)]
        }
        let stories = try stories([
            notification("a", "0"), notification("b", "1"), notification("a", "2"), notification(nil, "3"),
            notification("3!f", "4"), notification("a", "5"), notification("3!f", "6"), notification(nil, "7"),
        ])
        #expect(stories.map(\.alert.body) == ["0", "1", "2", "3", "4", "5", "6", "7"])
        let ids = stories.map(\.id.description)
        #expect(ids[0] == "a-0" && ids[1] == "b" && ids[2] == "a-1" && ids[5] == "a-2")
        #expect(ids[4] == "xe5c38ab4ebebb0132f80d47d60a7c309-0" && ids[6] == "xe5c38ab4ebebb0132f80d47d60a7c309-1")
        #expect(ids[3].utf8.count == 32 && ids[7].utf8.count == 32 && ids[3] != ids[7])
    }

    @Test func `notifications of equal content are one story`() throws {
        #expect(try stories([["content": "a"], ["content": "b"], ["content": "a"]]).map(\.alert.body) == ["a", "b"])
    }

    @Test func `elements that are no notification cost only themselves`() throws {
        #expect(try stories([nil, "x", ["content": "good"], 7]).map(\.alert.body) == ["good"])
    }

    @Test(arguments: [[], [nil], ["x", 7, []]] as [JSONValue])
    func `a request without any notification is rejected`(notifications: JSONValue) throws {
        let rejection = #expect(throws: PayloadRejection.self) { try stories(notifications) }
        #expect(rejection?.code == .noNotifications)
    }

    @Test(
        arguments: [
            ["request": ["notifications": [["content": "x"]]], "pw_stories": ["pages": []]],
            ["request": ["notifications": []], "u": block], ["request": ["notifications": []], "aps": ["alert": "x"]],
            ["request": ["notifications": ["content": "x"]]], ["request": [["content": "x"]]], ["request": "x"],
        ] as [JSONObject])
    func `a notification's own dictionary is no request, whatever it holds under that key`(
        userInfo: JSONObject
    ) throws {
        let stories = try PayloadParser.stories(from: .object(userInfo), limits: PayloadLimits())
        #expect(stories.map(\.userInfo) == [userInfo])
    }
}
