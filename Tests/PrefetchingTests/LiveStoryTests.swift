import Hashing
import MediaCache
import Platform
import Stories
import Testing

@testable import Prefetching

@Suite struct `A live story` {
    private let lost = PageError(.connectionLost, "gone", retryAt: Timestamp(milliseconds: 9))
    private let final = PageError(.httpStatus, "404", httpStatus: 404)

    @Test func `the first page is told at once, others together, the last at once`() throws {
        var story = try StoryScripts.live(pages: 3)
        let image = try StoryScripts.image()
        #expect(story.pageCached(1, image, attempts: 1) == .soon)
        #expect(story.pageCached(0, image, attempts: 1) == .now)
        #expect(story.manifest.state == .prefetching)
        #expect(story.pageCached(2, image, attempts: 1) == .now)
        #expect(story.manifest.state == .ready && story.isChanged)
    }

    @Test func `it is at rest when all is settled and written`() throws {
        var story = try StoryScripts.live(pages: 1)
        _ = story.pageCached(0, try StoryScripts.image(), attempts: 1)
        #expect(!story.isAtRest)
        let written = story.beginWriting(at: Timestamp(milliseconds: 5))
        #expect(written.revision == 1 && written.updatedAt.milliseconds == 5)
        story.endWriting(succeeded: false)
        #expect(!story.isAtRest && story.failedWrites == 1)
        #expect(story.beginWriting(at: Timestamp(milliseconds: 6)).revision == 2)
        story.endWriting(succeeded: true)
        #expect(story.isAtRest && story.failedWrites == 0)
    }

    @Test func `a page is pending until its first round has ended, then failed through later rounds`() throws {
        var story = try StoryScripts.live(pages: 2)
        #expect(story.pageFailed(0, lost, attempts: 1, roundIsOver: false) == .later)
        #expect(story.manifest.pages[0].state == .pending(after: lost))
        #expect(story.pageFailed(0, lost, attempts: 1, roundIsOver: true) == .soon)
        #expect(story.manifest.pages[0].state == .failed(lost))
        #expect(story.pageFailed(1, final, attempts: 1, roundIsOver: true) == .now, "all first rounds have ended")
        #expect(story.manifest.state == .failed && story.awaitedPlaces == [0])
        #expect(story.pageFailed(0, lost, attempts: 1, roundIsOver: false) == .later)
        #expect(story.manifest.pages[0].state == .failed(lost) && story.manifest.pages[0].attempts == 3)
        #expect(story.pageCached(0, try StoryScripts.image(), attempts: 1) == .now)
        #expect(story.manifest.state == .partial && story.manifest.pages[0].attempts == 4)
        #expect(story.manifest.settled && story.awaitedPlaces.isEmpty)
    }

    @Test func `the deadline settles it once, and pictures may still come`() throws {
        var story = try StoryScripts.live(pages: 2)
        _ = story.pageCached(0, try StoryScripts.image(), attempts: 1)
        #expect(story.deadlinePassed() == .now)
        #expect(story.manifest.state == .partial && story.awaitedPlaces == [1])
        #expect(story.deadlinePassed() == .none)
        _ = story.pageCached(1, try StoryScripts.image("other"), attempts: 1)
        #expect(story.manifest.state == .ready)
    }

    @Test func `a story does not wait again for a page whose first round has ended`() throws {
        var story = try StoryScripts.live(pages: 2)
        _ = story.pageFailed(0, final, attempts: 1, roundIsOver: true)
        story.awaitPage(0)
        _ = story.pageCached(1, try StoryScripts.image(), attempts: 1)
        #expect(story.manifest.settled && story.awaitedPlaces == [0] && !story.isAtRest)
    }

    @Test func `a lost picture is awaited again; what was settled stays so`() throws {
        var story = try StoryScripts.live(pages: 1)
        _ = story.pageCached(0, try StoryScripts.image(), attempts: 1)
        _ = story.beginWriting(at: Timestamp(milliseconds: 1))
        story.pageLost(0)
        story.awaitPage(0)
        #expect(story.isChanged && story.manifest.settled && story.manifest.state == .failed)
        _ = story.pageCached(0, try StoryScripts.image(), attempts: 1)
        #expect(story.manifest.state == .ready)
    }

    @Test func `one that waits for nothing is settled from the start`() throws {
        var story = LiveStory(
            try StoryScripts.manifest("a", pages: 1), container: .fallback(nil), generation: 1, content: .of(utf8: ""),
            deadline: .now)
        story.settleIfNothingIsAwaited()
        #expect(story.manifest.settled && story.isChanged)
    }
}
