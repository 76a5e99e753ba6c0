import Foundation
import Hashing
import JSON
import Platform
import Stories
import Testing

/// The bytes of a sample payload.
func sample(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Payloads"))
    return Array(try Data(contentsOf: url))
}

/// The one story that a payload holds.
func story(_ payload: [UInt8], limits: PayloadLimits = PayloadLimits()) throws -> Story {
    let stories = try PayloadParser.stories(from: payload, limits: limits)
    try #require(stories.count == 1)
    return stories[0]
}

/// The one story that a payload holds.
func story(_ payload: JSONValue, limits: PayloadLimits = PayloadLimits()) throws -> Story {
    try story(payload.serializedBytes(), limits: limits)
}

/// The story of a notification whose block has these pages.
func story(pages: JSONValue, limits: PayloadLimits = PayloadLimits()) throws -> Story {
    try story(["pw_stories": ["pages": pages]], limits: limits)
}

/// The page that comes of these fields, beside a good picture.
func page(_ fields: JSONObject) throws -> Page {
    var fields = fields
    fields["image"] = "https://example.com/1.jpg"
    return try #require(try story(pages: [.object(fields)]).pages.first)
}

/// Equal byte for byte; `String`'s own `==` takes composed and decomposed letters for the same.
func same(_ left: String?, _ right: String?) -> Bool {
    left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
}

/// A moment, for manifests.
let someTime = Timestamp(milliseconds: 1_767_323_045_678)

/// The first manifest of a story.
func firstManifest(_ story: Story, group: GroupID? = nil, groupFallback: Bool = false) -> Manifest {
    Manifest(story, group: group, groupFallback: groupFallback, receivedAt: someTime)
}

/// A picture in the container.
func image(_ text: String, source: PageSource = .network) -> CachedImage {
    CachedImage(
        contentID: .of(utf8: text), fileExtension: "jpg", bytes: 48213, mediaType: "image/jpeg", width: 1080,
        height: 1620, frames: 1, source: source)
}
