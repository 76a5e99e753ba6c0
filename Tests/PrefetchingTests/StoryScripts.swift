import Hashing
import ImageInspection
import MediaCache
import Platform
import Stories
import Testing

@testable import Prefetching

extension StoryTable {
    /// As of a moment at which nothing in these tests is from the future.
    mutating func update(_ record: StoryRecord) -> [Container] { update(record, now: Timestamp(milliseconds: 1000)) }
}

/// Stories and records for tests without disk or network.
enum StoryScripts {
    static func story(_ id: String, pages: Int, category: String = "") throws -> Story {
        let list = (0..<pages).map { #"{"image": "https://one.example/\#(id)/\#($0)"}"# }.joined(separator: ",")
        let text =
            #"{"p": "\#(id)", "aps": {"category": "\#(category)"}, "pw_stories": {"pages": [\#(list)]}}"#
        return try #require(try PayloadParser.stories(from: Array(text.utf8), limits: PayloadLimits()).first)
    }

    static func manifest(
        _ id: String, pages: Int, receivedAt: Int64 = 0, category: String = "", group: GroupID? = nil
    ) throws -> Manifest {
        Manifest(
            try story(id, pages: pages, category: category), group: group, groupFallback: false,
            receivedAt: Timestamp(milliseconds: receivedAt), revision: 0)
    }

    static func live(_ id: String = "a", pages: Int) throws -> LiveStory {
        var story = LiveStory(
            try manifest(id, pages: pages), container: .fallback(nil), generation: 1, content: .of(utf8: id),
            deadline: .now)
        for page in 0..<pages { story.awaitPage(page) }
        return story
    }

    static func image(_ text: String = "picture") throws -> CachedImage {
        let size = try #require(PixelSize(width: 2, height: 3))
        let object = StoredObject(
            content: .of(utf8: text), header: ImageHeader(type: .png, size: size, frames: 1), bytes: 7)
        return CachedImage(object, source: .network)
    }

    /// A record whose first `cached` pages are there; settled or not.
    static func record(
        _ id: String, receivedAt: Int64, cached: Int = 0, settled: Bool = false, container: Container = .fallback(nil)
    ) throws -> StoryRecord {
        var manifest = try manifest(id, pages: 2, receivedAt: receivedAt)
        for place in 0..<cached { manifest.pages[place].state = .cached(try image()) }
        manifest.settled = settled
        return StoryRecord(manifest, container: container, content: .of(utf8: id))
    }
}
