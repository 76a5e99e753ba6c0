import JSON
import Stories
import Testing

/// The manifest as a value, and as its file.
struct ManifestTests {
    @Test func `the file is laid out as documented, and ends with a line break`() throws {
        let story = try story([
            "aps": ["alert": "Tap to explore", "category": "PW_STORIES"], "p": "8A1F3-02bC",
            "pw_stories": ["pages": [["image": "https://example.com/1.jpg", "title": "Welcome"], nil]],
        ])
        var manifest = firstManifest(story, group: GroupID("group.com.example.app"))
        manifest.settled = true
        manifest.pages[0].state = .cached(image("a"))
        manifest.pages[0].attempts = 1
        let text = """
            {
              "version": 1,
              "revision": 1,
              "id": "8A1F3-02bC",
              "group": "group.com.example.app",
              "group_fallback": false,
              "category": "PW_STORIES",
              "state": "ready",
              "settled": true,
              "fallback_reason": null,
              "received_at": "2026-01-02T03:04:05.678Z",
              "updated_at": "2026-01-02T03:04:05.678Z",
              "alert": {
                "title": null,
                "subtitle": null,
                "body": "Tap to explore"
              },
              "pages": [
                {
                  "index": 0,
                  "image_url": "https://example.com/1.jpg",
                  "duration": 5.0,
                  "link": null,
                  "button_title": null,
                  "title": "Welcome",
                  "subtitle": null,
                  "state": "cached",
                  "file": "objects/a9/a96faf705af16834e6c632b61e964e1f.jpg",
                  "bytes": 48213,
                  "media_type": "image/jpeg",
                  "width": 1080,
                  "height": 1620,
                  "frames": 1,
                  "xxh3_128": "a96faf705af16834e6c632b61e964e1f",
                  "source": "network",
                  "attempts": 1,
                  "error": null
                }
              ],
              "skipped": [
                {
                  "index": 1,
                  "code": "not_an_object",
                  "message": "The page is not an object."
                }
              ],
              "user_info": \(JSONValue.object(story.userInfo).serialized(.pretty).split(separator: "\n")
                .joined(separator: "\n  "))
            }

            """
        #expect(String(decoding: manifest.serialized(), as: UTF8.self) == text)
    }

    @Test func `manifests of every kind are read back as they were written`() throws {
        for (name, manifest) in try ManifestKinds.all() {
            let read = try Manifest(bytes: manifest.serialized())
            #expect(read == manifest, "\(name)")
            #expect(read.serialized() == manifest.serialized(), "\(name)")
            #expect(read.pages.map(\.page.url) == manifest.pages.map(\.page.url), "\(name)")
        }
    }

    @Test func `a text in other code points makes another manifest`() throws {
        let composed = firstManifest(try story(["p": "a", "aps": ["alert": "\u{E9}"]]))
        let decomposed = firstManifest(try story(["p": "a", "aps": ["alert": "e\u{301}"]]))
        #expect(composed != decomposed)
    }

    @Test(arguments: ["", "[]", "{}", "{\"version\": 2}", "{\"version\": 1, \"revision\": 1}", "\u{0}\u{0}"])
    func `what is no manifest is refused`(text: String) {
        #expect(throws: ManifestError.self) { try Manifest(bytes: Array(text.utf8)) }
    }

    @Test func `a file that is not named by its hash is refused`() throws {
        let json = ManifestKinds.manifest(
            try story(sample("root-block")), settled: true, states: [.cached(image("a"))]
        ).json
        let page = try #require(json["pages"]?.arrayValue?.first?.objectValue)
        for file in [
            "objects/a9/\(String(repeating: "a", count: 32)).jpg", "objects/a9/a96faf705af16834e6c632b61e964e1f",
            "objects/a9/a96faf705af16834e6c632b61e964e1f.", "objects/a9/a96faf705af16834e6c632b61e964e1f./x",
        ] {
            var (changed, changedPage) = (json, page)
            changedPage["file"] = .string(file)
            changed["pages"] = [.object(changedPage)]
            let error = #expect(throws: ManifestError.self) { try Manifest(json: changed) }
            #expect(error?.message.hasPrefix("pages[0].\"file\"") == true)
        }
    }

    @Test(
        arguments: [
            (false, [.pending()], nil, .prefetching), (false, [.cached(image("a"))], nil, .prefetching),
            (true, [.cached(image("a")), .cached(image("b"))], nil, .ready),
            (true, [.pending(), .cached(image("b"))], nil, .partial),
            (true, [.cached(image("b")), .failed(PageError(.dns, ""))], nil, .partial),
            (true, [.failed(PageError(.dns, "")), .pending()], nil, .failed), (true, [.pending()], nil, .failed),
            (true, [], .missing, .fallback), (true, [], .noUsablePages, .fallback),
        ] as [(Bool, [PageState], FallbackReason?, StoryState)])
    func `the state follows from settling, the pages and the fallback`(
        settled: Bool, pages: [PageState], fallback: FallbackReason?, state: StoryState
    ) {
        #expect(StoryState(settled: settled, pages: pages, fallbackReason: fallback) == state)
    }

    @Test func `a story that falls back is settled from the start, another is not`() throws {
        #expect(firstManifest(try story(sample("no-block"))).settled)
        #expect(!firstManifest(try story(sample("root-block"))).settled)
    }

    @Test func `a story may be the latest once its first page is there or it is settled`() throws {
        let four = try story(sample("thai-russian-bengali"))
        func isPresentable(_ settled: Bool, _ states: [PageState]) -> Bool {
            ManifestKinds.manifest(four, settled: settled, states: states).isPresentable
        }
        #expect(!isPresentable(false, []))
        #expect(!isPresentable(false, [.pending(), .cached(image("b"))]))
        #expect(isPresentable(false, [.cached(image("a"))]))
        #expect(isPresentable(true, []))
        #expect(!firstManifest(try story(sample("no-block"))).isPresentable)
        #expect(firstManifest(try story(sample("empty-pages"))).isPresentable)
    }

    @Test func `the pointer to the latest story is laid out as documented and read back`() throws {
        let pointer = LatestPointer(firstManifest(try story(["p": "8A1F3-02bC"])))
        let text = """
            {
              "id": "8A1F3-02bC",
              "manifest": "stories/8A1F3-02bC/manifest.json",
              "revision": 1,
              "settled": true,
              "received_at": "2026-01-02T03:04:05.678Z"
            }

            """
        #expect(String(decoding: pointer.serialized(), as: UTF8.self) == text)
        #expect(try LatestPointer(json: pointer.json) == pointer)
        for key in pointer.json.keys {
            var json = pointer.json
            json[key] = key == "settled" ? "x" : true
            #expect(throws: ManifestError.self) { try LatestPointer(json: json) }
        }
    }
}
