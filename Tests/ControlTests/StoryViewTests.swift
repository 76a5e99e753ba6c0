import JSON
import Platform
import Testing

@testable import ControlTool

@Suite("One story, shown")
struct StoryViewTests {
    private let manifest = #"""
        {"version": 1, "revision": 3, "id": "8A1F3-02bC", "group": "group.com.example.app", "group_fallback": true,
         "category": "PW_STORIES", "state": "partial", "settled": true, "fallback_reason": null,
         "received_at": "2026-01-02T03:04:05.678Z", "updated_at": "2026-01-02T03:04:06.000Z",
         "alert": {"title": "Evil \u001b[2J title", "subtitle": null, "body": "สวัสดี"},
         "pages": [
           {"index": 0, "image_url": "https://example.com/a/very/long/path/to/an/image/story-1.jpg", "state": "cached",
            "bytes": 48213, "media_type": "image/jpeg", "width": 1080, "height": 1620, "source": "network",
            "error": null},
           {"index": 2, "image_url": "https://example.com/2.jpg", "state": "failed", "bytes": null,
            "media_type": null, "width": null, "height": null, "source": null,
            "error": {"code": "http_status", "message": "404", "http_status": 404, "retry_at": null}}],
         "skipped": [{"index": 1, "code": "no_image", "message": "no image"}]}
        """#

    private func lines(_ text: String, path: String? = nil) throws -> [String] {
        let object = try #require(try JSONParser.parse(text).objectValue)
        let now = try #require(Timestamp("2026-01-02T03:07:10.000Z"))
        return StoryView(manifest: object, path: path, palette: Palette(isColoured: false), now: now).lines
    }

    @Test("Head and pages of a story")
    func story() throws {
        let shown = try lines(manifest, path: "/c/manifest.json")
        #expect(
            shown == [
                "Story     8A1F3-02bC",
                "Group     group.com.example.app (not provisioned)",
                "State     partial, settled",
                "Title     Evil \u{FFFD}[2J title",
                "Body      สวัสดี",
                "Received  3 min ago (2026-01-02T03:04:05.678Z)",
                "Updated   3 min ago (2026-01-02T03:04:06.000Z)",
                "Revision  3",
                "Manifest  /c/manifest.json",
                "Skipped   page 1: no image",
                "Error     page 2: http_status: 404",
                "",
                "PAGE  STATE   TYPE      SIZE     PIXELS  SOURCE   IMAGE",
                "   0  cached  jpeg  47.1 KiB  1080×1620  network  https://example.com/a/very/lo…",
                "   2  failed                                      http_status",
            ])
    }

    @Test("A manifest of another version is shown as far as it goes")
    func strangeManifest() throws {
        #expect(try lines("{}") == ["Group  (none)", "State  "])
        #expect(try lines(#"{"id": 5, "pages": [7, {"state": []}], "alert": "x", "skipped": {}}"#).count == 5)
    }
}
