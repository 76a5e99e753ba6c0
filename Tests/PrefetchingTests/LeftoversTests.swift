import Stories
import Testing

@testable import Prefetching

struct LeftoversTests {
    private func story(_ id: String) throws -> StoryKey { StoryKey(group: nil, id: try #require(StoryID(id))) }

    @Test func `what is wanted by none of its stories is released, once`() throws {
        var leftovers = Leftovers()
        let (one, two) = (try story("1"), try story("2"))
        leftovers.keep("a", for: [one], of: ["a"])
        leftovers.keep("b", for: [one, two], of: ["a", "b"])
        #expect(leftovers.release { _, stories in stories.contains(two) } == ["a"])
        #expect(leftovers.release { _, stories in stories.contains(two) } == [])
        #expect(leftovers.release { key, _ in key == "a" } == ["b"])
        #expect(leftovers.isEmpty)
    }

    @Test func `what is not kept any more is forgotten`() throws {
        var leftovers = Leftovers()
        leftovers.keep("a", for: [try story("1")], of: ["a"])
        leftovers.keep("b", for: [try story("1")], of: ["c"])
        #expect(leftovers.isEmpty)
    }

    @Test func `what was found on disk joins what is known`() throws {
        var leftovers = Leftovers()
        let (one, two) = (try story("1"), try story("2"))
        leftovers.keep("a", for: [one], of: ["a"])
        leftovers.find(["a": [two], "b": []])
        #expect(leftovers.release { _, stories in !stories.isEmpty } == ["b"])
        #expect(leftovers.release { _, stories in stories == [one, two] } == [])
    }
}
