import JSON
import Stories
import TestSupport
import Testing

/// Properties that hold for any payload; each run is told by its seed.
struct PayloadPropertyTests {
    private static let samples = [
        "docs-request", "device-u-string", "device-u-object", "root-block", "userdata", "thai-russian-bengali",
        "mixed-bad-pages", "no-block", "empty-pages", "root-bad-wins", "broken-u", "not-json",
    ]

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any tree is a story, a fallback or rejected, and its manifest is read back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            try expectSound(PayloadTrees.value(depth: 6, using: &generator).serializedBytes())
        }
    }

    @Test(arguments: samples, 0..<25 as Range<UInt64>)
    func `a damaged payload is a story, a fallback or rejected, and its manifest is read back`(
        name: String, seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let original = try sample(name)
        for _ in 0..<10 { try expectSound(PayloadTrees.damaged(original, using: &generator)) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `bad pages among good ones cost no good one`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let good = (0..<Int.random(in: 1...5, using: &generator)).map { "https://example.com/\($0).jpg" }
        var elements = good.map { JSONValue.object(["image": .string($0)]) }
        let bad = Int.random(in: 1...5, using: &generator)
        for _ in 0..<bad {
            let place = Int.random(in: 0...elements.count, using: &generator)
            elements.insert(PayloadTrees.badPage(using: &generator), at: place)
        }
        let story = try story(pages: .array(elements))
        #expect(story.pages.map(\.imageURL) == good)
        #expect(story.skipped.count == bad)
        // Each element has its place, once.
        #expect((story.pages.map(\.index) + story.skipped.map(\.index)).sorted() == Array(elements.indices))
        #expect(story.fallbackReason == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a story's name does not depend on the order of keys or on white space`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = JSONValue.object(["tree": PayloadTrees.value(depth: 6, using: &generator)])
        let shuffled = PayloadTrees.shuffled(value, using: &generator)
        let id = try story(value).id
        #expect(try story(shuffled).id == id)
        #expect(try story(shuffled.serializedBytes(.pretty)).id == id)
        #expect(try story(["tree": value]).id != id)
    }

    private func expectSound(_ payload: [UInt8]) throws {
        // A rejection is a result; what matters is that there is one.
        guard let stories = try? PayloadParser.stories(from: payload, limits: PayloadLimits()) else { return }
        #expect(!stories.isEmpty)
        #expect(Set(stories.map(\.id)).count == stories.count)
        for story in stories {
            #expect(story.pages.isEmpty == (story.fallbackReason != nil))
            let manifest = firstManifest(story)
            let read = try Manifest(bytes: manifest.serialized())
            #expect(read == manifest)
        }
    }
}
