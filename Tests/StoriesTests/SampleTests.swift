import Addresses
import JSON
import Stories
import Testing

/// Each sample payload gives what is stated of it.
struct SampleTests {
    @Test func `the documentation's request is a story of two pages`() throws {
        let story = try story(sample("docs-request"))
        #expect(story.id.description == "6a4145128a6919e3afff4b5a2a753795")
        #expect(story.category == "PW_STORIES")
        #expect(story.alert.title == "Push Stories")
        #expect(story.alert.subtitle == nil)
        #expect(story.alert.body == "Tap to explore")
        #expect(story.userInfo["aps"]?.objectValue?["mutable-content"] == 1)
        #expect(story.fallbackReason == nil && story.skipped.isEmpty)
        expectDocumentedPages(story)
    }

    @Test func `custom data in a string, as a device gets it`() throws {
        let story = try story(sample("device-u-string"))
        #expect(story.id.description == "xe5c38ab4ebebb0132f80d47d60a7c309")
        #expect(story.userInfo["md"] == "{}")
        expectDocumentedPages(story)
    }

    @Test func `custom data as an object, and an unsafe name`() throws {
        let story = try story(sample("device-u-object"))
        #expect(story.id.description == "x292240c77c583e3b91834d09d8139064")
        #expect(story.alert.title == nil && story.alert.body == "One page")
        #expect(story.pages.count == 1 && story.skipped.isEmpty)
    }

    @Test func `a block at the root; a long duration becomes 30 seconds`() throws {
        let story = try story(sample("root-block"))
        #expect(story.id.description == "ade82fe984a476eab19f0c3286c10a5d")
        #expect(story.pages.map(\.duration) == [30])
    }

    @Test func `the third container; a duration that is no number becomes 5 seconds`() throws {
        let story = try story(sample("userdata"))
        #expect(story.id.description == "0c51b3d0f89fddd970865cb17df8f362")
        #expect(story.pages.map(\.duration) == [5])
    }

    @Test func `texts of any script come through byte for byte`() throws {
        let story = try story(sample("thai-russian-bengali"))
        #expect(story.id.description == "b46ecabbdba91e4a42baadc5b0242529")
        #expect(same(story.alert.title, "สตอรี่"))
        #expect(same(story.alert.subtitle, "Истории"))
        #expect(same(story.alert.body, "গল্প"))
        let texts = [
            ("ยินดีต้อนรับ", "ปัดเพื่อดูสิ่งใหม่"), ("Добро пожаловать", "Узнайте, что нового"),
            ("স্বাগতম", "নতুন কী আছে দেখুন"), ("مرحبا 👋🏽", "e\u{301} 👩‍👩‍👧"),
        ]
        #expect(story.pages.count == 4)
        for (page, (title, subtitle)) in zip(story.pages, texts) {
            #expect(same(page.title, title))
            #expect(same(page.subtitle, subtitle))
        }
    }

    @Test func `bad pages cost only themselves, and each says why`() throws {
        let story = try story(sample("mixed-bad-pages"))
        #expect(story.id.description == "438c793dcce8cd15b7384dc24fc4579a")
        #expect(story.pages.map(\.index) == [4])
        #expect(story.skipped.map(\.index) == [0, 1, 2, 3])
        #expect(story.skipped.map(\.code) == [.notAnObject, .notAnObject, .noImage, .schemeDenied])
        #expect(story.skipped.allSatisfy { !$0.message.isEmpty })
        #expect(story.fallbackReason == nil)
    }

    @Test(arguments: [
        ("no-block", FallbackReason.missing, "xb662031b90352f82471b6ba6593a87bd"),
        ("empty-pages", .empty, "36ddd53cc72189aa08fa91af9c33ad4c"),
        ("root-bad-wins", .noUsablePages, "7f4c6851110e9b917f2b83b8d90c0e2b"),
        ("broken-u", .malformed, "e08e90f811cd98137de33766d4b37fc0"),
    ])
    func `without a usable page the story falls back to its alert`(
        name: String, reason: FallbackReason, id: String
    ) throws {
        let story = try story(sample(name))
        #expect(story.fallbackReason == reason)
        #expect(story.pages.isEmpty)
        #expect(story.alert.title != nil && story.alert.body != nil)
        #expect(story.id.description == id)
    }

    @Test func `text that is cut off is rejected`() throws {
        let payload = try sample("not-json")
        let rejection = #expect(throws: PayloadRejection.self) {
            try PayloadParser.stories(from: payload, limits: PayloadLimits())
        }
        #expect(rejection?.code == .notJSON)
    }

    private func expectDocumentedPages(_ story: Story) {
        #expect(story.pages.map(\.index) == [0, 1])
        #expect(story.pages.map(\.imageURL) == ["https://example.com/story-1.jpg", "https://example.com/story-2.jpg"])
        #expect(story.pages.map(\.url.request) == story.pages.map(\.imageURL))
        #expect(story.pages.map(\.duration) == [5, 4])
        #expect(story.pages.map(\.link) == ["yourapp://page1", "yourapp://page2"])
        #expect(story.pages.map(\.buttonTitle) == ["Get started", "Learn more"])
        #expect(story.pages.map(\.title) == ["Welcome", "Stay in the loop"])
        #expect(story.pages.map(\.subtitle) == ["Swipe to explore what's new", "Updates, tips and more"])
    }
}
