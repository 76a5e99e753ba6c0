import Platform
import Stories
import Testing

@testable import Prefetching

@Suite(.timeLimit(.minutes(1))) struct `The list of stories` {
    @Test func `is newest first and can be read piece by piece`() async throws {
        let fixture = try await PrefetchFixture()
        for (number, group) in [(1, PrefetchFixture.group), (2, nil), (3, PrefetchFixture.group), (3, nil)] {
            try await fixture.acceptPayload(
                #"{"p": "s\#(number)"}"#, group: group, receivedAt: Timestamp(milliseconds: Int64(number)))
        }
        var names: [String] = []
        var cursor: Prefetcher.Cursor?
        repeat {
            let (records, next) = await fixture.prefetcher.stories(limit: 1, after: cursor) { _ in true }
            names += records.map(\.key.description)
            cursor = next.flatMap { Prefetcher.Cursor($0.description) }
            #expect(cursor == next)
        } while cursor != nil
        #expect(names == ["group.com.example.app/s3", "_/s3", "_/s2", "group.com.example.app/s1"])
        let id = try #require(StoryID("s3"))
        #expect(await fixture.prefetcher.stories(named: id).count == 2)
    }

    @Test(arguments: ["", "x", "1", "1/2", "1//a", "1/_/", "1/_/a/b", "a/_/b", "1/-/a"])
    func `what is no cursor is refused`(text: String) {
        #expect(Prefetcher.Cursor(text) == nil)
    }
}
