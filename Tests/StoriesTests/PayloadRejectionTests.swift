import JSON
import Stories
import Testing

/// What becomes neither a story nor a fallback.
struct PayloadRejectionTests {
    private func rejection(_ bytes: [UInt8], limits: PayloadLimits = PayloadLimits()) -> PayloadRejection? {
        #expect(throws: PayloadRejection.self) { try PayloadParser.stories(from: bytes, limits: limits) }
    }

    @Test(arguments: ["", " ", "{", "{}{}", "{'a': 1}", "{\"a\": 1,}", "// none\n{}", "{a: 1}", "\u{FEFF}"])
    func `what is not strict JSON`(text: String) {
        #expect(rejection(Array(text.utf8))?.code == .notJSON)
    }

    @Test func `bad UTF-8`() {
        #expect(rejection(Array("{\"p\": \"".utf8) + [0xFF] + Array("\"}".utf8))?.code == .notJSON)
    }

    @Test func `the message names the place`() {
        let message = rejection(Array("{\n  \"p\": x}".utf8))?.message
        #expect(message?.contains("line 2, column 8") == true)
    }

    @Test(arguments: ["[]", "[{}]", "null", "7", "\"{}\"", "true"])
    func `a root that is no object`(text: String) {
        #expect(rejection(Array(text.utf8))?.code == .notAnObject)
    }

    @Test func `more bytes than the limit`() throws {
        let payload = Array("{\"p\": \"a\"}".utf8)
        #expect(rejection(payload, limits: PayloadLimits(payloadBytes: payload.count - 1))?.code == .tooLarge)
        #expect(try story(payload, limits: PayloadLimits(payloadBytes: payload.count)).id.description == "a")
        #expect(rejection(Array(repeating: 0x20, count: 262_145))?.code == .tooLarge)
    }

    @Test func `nesting without bounds`() {
        func nested(_ depth: Int) -> [UInt8] {
            let open = String(repeating: "[", count: depth - 1)
            return Array("{\"a\": \(open)\(String(repeating: "]", count: depth - 1))}".utf8)
        }
        #expect(rejection(nested(PayloadParser.maximumDepth + 1))?.code == .notJSON)
        #expect(rejection(nested(100_000))?.code == .notJSON)
        // The deepest that is taken still makes a manifest that can be read again.
        #expect(throws: Never.self) {
            let deepest = try story(nested(PayloadParser.maximumDepth))
            _ = try Manifest(bytes: firstManifest(deepest).serialized())
        }
    }

    @Test func `a byte order mark is passed over, and of equal keys the last wins`() throws {
        #expect(try story(Array("\u{FEFF}{\"p\": \"a\", \"p\": \"b\"}".utf8)).id.description == "b")
    }
}
