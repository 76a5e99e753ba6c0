import Addresses
import JSON
import Stories
import Testing

/// What becomes of each element and field of `pages`.
struct PageTests {
    @Test(
        arguments: [
            (nil, .notAnObject), ("https://example.com/1.jpg", .notAnObject), (7, .notAnObject), ([[:]], .notAnObject),
            ([:], .noImage), (["image": nil], .noImage), (["image": ""], .noImage), (["image": 7], .noImage),
            (["image": ["https://example.com/1.jpg"]], .noImage), (["Image": "https://example.com/1.jpg"], .noImage),
            (["image": "story-1.jpg"], .badURL), (["image": "//example.com/1.jpg"], .badURL),
            (["image": "https:///1.jpg"], .badURL), (["image": "https://user:secret@example.com/1.jpg"], .badURL),
            (["image": " https://example.com/1.jpg"], .badURL), (["image": "https://exa\\mple.com/1.jpg"], .badURL),
            (["image": "file:///etc/hostname"], .schemeDenied), (["image": "ftp://example.com/1.jpg"], .schemeDenied),
            (["image": "data:image/png;base64,AAAA"], .schemeDenied), (["image": "javascript:alert(1)"], .schemeDenied),
        ] as [(JSONValue, SkippedPage.Code)])
    func `an element without a usable picture is skipped, with its reason`(
        element: JSONValue, code: SkippedPage.Code
    ) throws {
        let story = try story(pages: [element, ["image": "https://example.com/good.jpg"]])
        #expect(story.skipped.map(\.code) == [code])
        #expect(story.skipped.map(\.index) == [0])
        #expect(story.pages.map(\.index) == [1])
        #expect(story.fallbackReason == nil)
    }

    @Test func `no message tells the secrets of a URL`() throws {
        let story = try story(pages: [
            ["image": "https://user:secret@example.com/1.jpg?token=secret"], ["image": "ftp://h/?token=secret"],
            ["image": "https://bad host/?token=secret"],
        ])
        #expect(story.skipped.count == 3)
        #expect(story.skipped.allSatisfy { !$0.message.contains("secret") })
    }

    @Test func `the limits hold for the URL's length, its scheme and the number of pages`() throws {
        let url = "http://example.com/1.jpg"
        let pages: JSONValue = [["image": .string(url)], nil, ["image": .string(url)], ["image": .string(url)]]
        let limits = PayloadLimits(pages: 2, urlBytes: url.utf8.count)
        let limited = try story(pages: pages, limits: limits)
        #expect(limited.pages.map(\.index) == [0])
        #expect(limited.skipped.map(\.index) == [1, 2])
        #expect(limited.skipped.map(\.code) == [.notAnObject, .tooManyPages])
        #expect(try story(pages: pages, limits: PayloadLimits(pages: 4)).skipped.count == 1)
        let short = try story(pages: pages, limits: PayloadLimits(urlBytes: url.utf8.count - 1))
        #expect(short.skipped.first?.code == .urlTooLong && short.fallbackReason == .noUsablePages)
        #expect(try story(pages: pages, limits: PayloadLimits(allowHTTP: false)).skipped.first?.code == .schemeDenied)
    }

    @Test(
        arguments: [
            (nil, 5), (4, 4), (4.5, 4.5), (0.01, 0.01), (30, 30), (30.01, 30), (1e300, 30), (0, 5), (-0.0, 5), (-3, 5),
            (true, 5), (false, 5), ("4", 5), ([4], 5),
        ] as [(JSONValue, Double)])
    func `a duration is a number above 0, and at most 30`(value: JSONValue, duration: Double) throws {
        #expect(try page(["duration": value]).duration == duration)
    }

    @Test(arguments: [
        "yourapp://page1", "https://example.com/?q=ä", "tel:+1-23", "a+b.c-d:x", "YourApp:", "javascripts:x",
        "datafile:x", "mailto:someone@example.com",
    ])
    func `a link is any text with a scheme`(link: String) throws {
        #expect(try page(["link": .string(link)]).link == link)
    }

    @Test(
        arguments: [
            nil, "", "page1", "/page1", "//example.com", ":x", "1a:x", " yourapp://x", "your app://x", "ä:x",
            "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "FILE:///etc/hostname", "file:x",
            "java\u{9}script:alert(1)", "yourapp://a\nb", "yourapp://\u{0}", "yourapp://\u{85}", 7, ["yourapp://x"],
        ] as [JSONValue])
    func `a bad link is dropped, alone`(link: JSONValue) throws {
        let page = try page(["link": link, "title": "kept"])
        #expect(page.link == nil)
        #expect(page.title == "kept")
    }

    @Test(arguments: ["button_title", "title", "subtitle"])
    func `a text that is empty or no string is absent`(field: String) throws {
        func texts(_ value: JSONValue) throws -> [String?] {
            let page = try page([field: value])
            return [page.buttonTitle, page.title, page.subtitle].filter { $0 != nil }
        }
        #expect(try texts("text") == ["text"])
        #expect(try texts(" ") == [" "])
        for value: JSONValue in ["", nil, 7, true, ["en": "text"], ["text"]] { #expect(try texts(value).isEmpty) }
    }

    @Test func `the image's URL is kept as it came, beside the one that is fetched`() throws {
        let text = "HTTPS://Example.com:443/a b.jpg#part"
        let page = try #require(try story(pages: [["image": .string(text)]]).pages.first)
        #expect(page.imageURL == text)
        #expect(page.url.request == "https://example.com/a%20b.jpg")
    }

    @Test(
        arguments: [
            ("plain", nil, nil, "plain"), (["title": "t", "subtitle": "s", "body": "b"], "t", "s", "b"),
            (["title": 1, "subtitle": nil, "body": ["b"]], nil, nil, nil), (["title": ""], "", nil, nil),
            (7, nil, nil, nil),
            (nil, nil, nil, nil),
        ] as [(JSONValue, String?, String?, String?)])
    func `an alert is a text, which is its body, or an object`(
        alert: JSONValue, title: String?, subtitle: String?, body: String?
    ) throws {
        let found = try story(["aps": ["alert": alert]]).alert
        #expect(found.title == title && found.subtitle == subtitle && found.body == body)
    }

    @Test func `a category is a string in aps`() throws {
        #expect(try story(["aps": ["category": "PW_STORIES"]]).category == "PW_STORIES")
        #expect(try story(["aps": ["category": 7], "category": "x"]).category == nil)
        #expect(try story(["aps": "x"]).category == nil)
    }
}
