import Hashing
import Testing

struct HashingTests {
    /// What `xxh128sum` printed for each input.
    private static let vectors: [([UInt8], String)] = [
        ([], "99aa06d3014798d86001c324468d497f"),
        (Array("a".utf8), "a96faf705af16834e6c632b61e964e1f"),
        (Array("392".utf8), "0277ec89f293a91c0dbea1caa28d313f"),
        (Array("Push Stories".utf8), "e40d1a7223cedc54ee43ff4e1272a0fb"),
        (Array("größe €".utf8), "2063b13095d84e88f322d8d5d19097af"),
        (pattern(240), "65b5be86da5540e7c92b68e16f83bbb6"),
        (pattern(100_000), "54182c58bbb1337c42c23aeead96750d"),
    ]

    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    @Test(arguments: vectors) func `a name is what xxh128sum prints`(bytes: [UInt8], hex: String) {
        #expect(ContentID.of(bytes).hex == hex)
        #expect(bytes.withUnsafeBytes { ContentID.of($0) }.description == hex)
    }

    @Test func `a text is named by its UTF-8 bytes`() {
        #expect(ContentID.of(utf8: "größe €").hex == "2063b13095d84e88f322d8d5d19097af")
        #expect(ContentID.of(utf8: "\u{E9}") != ContentID.of(utf8: "e\u{301}"))
        #expect(ContentID.of(utf8: "") == ContentID.of([]))
    }

    @Test(arguments: [1, 7, 63, 64, 65, 255, 256, 257, 4096, 65_537, 200_000])
    func `pieces of any size give the name of the whole`(
        size: Int
    ) {
        let bytes = Self.pattern(100_000)
        var hasher = ContentHasher()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            piece.withUnsafeBytes { hasher.update($0) }
            hasher.update([])
        }
        #expect(hasher.digest() == ContentID.of(bytes))
    }

    @Test func `a hasher goes on after a digest and starts anew after a reset`() {
        var hasher = ContentHasher()
        #expect(hasher.digest() == ContentID.of([]))
        hasher.update(Array("Push ".utf8))
        #expect(hasher.digest() == ContentID.of(utf8: "Push "))
        hasher.update(Array("Stories".utf8))
        #expect(hasher.digest() == ContentID.of(utf8: "Push Stories"))
        hasher.reset()
        #expect(hasher.digest() == ContentID.of([]))
    }

    @Test(arguments: [0, 5, 240, 241, 5000, 100_000])
    func `a copy goes on from what its original had seen, each on its own`(count: Int) {
        let bytes = Self.pattern(count)
        var original = ContentHasher()
        original.update(bytes)
        var copy = original.copy()
        #expect(copy.digest() == ContentID.of(bytes))
        copy.update(Array("tail".utf8))
        #expect(original.digest() == ContentID.of(bytes))
        original.reset()
        #expect(copy.digest() == ContentID.of(bytes + Array("tail".utf8)))
    }

    @Test func `a hasher may live in a class`() {
        final class Body {
            var hasher = ContentHasher()
        }
        let body = Body()
        body.hasher.update(Array("a".utf8))
        #expect(body.hasher.digest() == ContentID.of(utf8: "a"))
    }

    @Test(arguments: vectors) func `hexadecimal digits are read back`(bytes: [UInt8], hex: String) {
        #expect(ContentID(hex: hex) == ContentID.of(bytes))
    }

    @Test(arguments: [
        "", "0", "99aa06d3014798d86001c324468d497", "99aa06d3014798d86001c324468d497f0",
        "99AA06D3014798D86001C324468D497F",
        "99aa06d3014798d86001c324468d497g", "+9aa06d3014798d86001c324468d497f", "-0000000000000000000000000000000",
        " 9aa06d3014798d86001c324468d497f",
        "９９aa06d3014798d86001c324468d49", "99aa06d3014798d8\n001c324468d497f", "99aa06d3014798d86001c324468d49\u{E9}",
    ]) func `other text is no name`(text: String) {
        #expect(ContentID(hex: text) == nil)
    }
}
