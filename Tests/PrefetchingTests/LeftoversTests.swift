import Stories
import Testing

@testable import MediaCache
@testable import Prefetching

struct LeftoversTests {
    private func story(_ id: String) throws -> StoryKey { StoryKey(group: nil, id: try #require(StoryID(id))) }

    private func kept(but gone: String...) -> KeptChange { KeptChange(isKept: true, gone: gone) }

    @Test func `what is wanted by none of its stories is released, once`() throws {
        var leftovers = Leftovers()
        let (one, two) = (try story("1"), try story("2"))
        leftovers.keep("a", for: [one], kept())
        leftovers.keep("b", for: [one, two], kept())
        #expect(leftovers.release { _, stories in stories.contains(two) } == ["a"])
        #expect(leftovers.release { _, stories in stories.contains(two) } == [])
        #expect(leftovers.release { key, _ in key == "a" } == ["b"])
        #expect(leftovers.isEmpty)
    }

    @Test func `what is not kept any more is forgotten`() throws {
        var leftovers = Leftovers()
        leftovers.keep("a", for: [try story("1")], kept())
        leftovers.keep("b", for: [try story("1")], kept(but: "a"))
        #expect(!leftovers.contains("a") && leftovers.contains("b"))
        leftovers.keep("b", for: [try story("1")], KeptChange(isKept: false, gone: []))
        leftovers.keep("c", for: [try story("1")], kept())
        leftovers.forget("c")
        #expect(leftovers.isEmpty)
    }

    @Test func `two that were kept are both known, whichever is heard of first`() throws {
        var leftovers = Leftovers()
        // Storage kept a before b.
        leftovers.keep("b", for: [try story("1")], kept())
        leftovers.keep("a", for: [try story("1")], kept())
        #expect(leftovers.contains("a") && leftovers.contains("b"))
    }

    @Test func `what was found on disk joins what is known`() throws {
        var leftovers = Leftovers()
        let (one, two) = (try story("1"), try story("2"))
        leftovers.keep("a", for: [one], kept())
        leftovers.find(["a": [two], "b": []])
        #expect(leftovers.release { _, stories in !stories.isEmpty } == ["b"])
        #expect(leftovers.release { _, stories in stories == [one, two] } == [])
    }
}
