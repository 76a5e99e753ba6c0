import Hashing
import JSON
import Stories
import Testing

/// How stories get their names. The hashes were computed by `xxh128sum`.
struct StoryIDTests {
    private func id(_ userInfo: JSONValue) throws -> String { try story(userInfo).id.description }

    @Test(arguments: [
        "8A1F3-02bC", "a", "_", "-", "a.", "0", String(repeating: "a", count: 64), "0123456789abcdef0123456789abcde",
        "0123456789abcdef0123456789abcdef0", "x0123456789abcdef0123456789abcdeg", "y0123456789abcdef0123456789abcdef",
    ])
    func `a safe p is the name`(p: String) throws {
        #expect(try id(["p": .string(p)]) == p)
    }

    @Test(arguments: [
        ("é", "x90326970ab18793af7940a006cf10cb3"), ("e\u{301}", "xb23c1d2f7ba408b8dc0ba6f9447885a8"),
        ("ส", "x077011ca327147cda43bd7486d6b5157"), (" ", "x4f4a9030b7abd431fc1537fc103cb7cf"),
        (String(repeating: "a", count: 65), "x0dc78c94087c01d94210684e19d24745"),
        (".a", "x4b9de4d4f523e1ed81597d9b7c6bebe7"), ("..", "xbf667305c6d055bb482c632370a33f0e"),
        ("a/b", "x354b81d0032a270248f71e9475860604"), ("a b", "xe932d71afddc92588044f8a624582c4c"),
        ("a\n", "x5c73e7e3dcbb0395e841f27363849a18"),
        ("0123456789abcdef0123456789ABCDEF", "x7e54cf43d050222476963902c540b867"),
        ("x0123456789abcdef0123456789abcdef", "x4041e80917e0a49f1763959371fb9d26"),
    ])
    func `another p is hashed, one that looks like a hash too`(p: String, name: String) throws {
        #expect(try id(["p": .string(p)]) == name)
    }

    @Test(
        arguments: [
            (nil, "ce11651052453d8960a6cb9794f6542f"), ("", "637fc4aa43835a9138abd76b7b109258"),
            (7, "d63169ac06fd64dc84005ebf04015f7b"), (["a"], "d005d630e0f03d7aaeac72bdec75d81b"),
        ] as [(JSONValue, String)])
    func `a p that is empty or no string is none`(p: JSONValue, name: String) throws {
        #expect(try id(["p": p]) == name)
    }

    @Test func `without p the name is the hash of the canonical JSON`() throws {
        let text = #"""
            {"zahl": [1, -0, 0.1, 1e21, 123456789012, 2.5E-7, true, null], "Zahl": "a\/b\u0001\"\\",
             "\u00e9": {"\u0e2a": "\ud83d\ude00"}}
            """#
        #expect(try story(Array(text.utf8)).id.description == "a257b852de2520ec20be5e2b2bb2f2a7")
    }

    @Test func `integers of up to 38 digits keep all of them`() throws {
        let text =
            #"{"n":[18446744073709551615,-170141183460469231731687303715884105728,12345678901234567890123456789]}"#
        let story = try story(Array(text.utf8))
        #expect(JSONValue.object(story.userInfo).serialized() == text)
        #expect(story.id.description == "9cf0cb160f49b1e64c994a591d972d6a")
        #expect(story.id.description == story.userInfo.contentID.hex)
    }

    @Test func `what can be no file name is no story's name`() {
        for text in ["", ".", "..", ".a", "a/b", "a b", "é", "a\u{0}", String(repeating: "a", count: 81)] {
            #expect(StoryID(text) == nil)
        }
        #expect(StoryID(String(repeating: "a", count: 80)) != nil)
    }
}
