import Testing

@testable import Inbox

struct FileNameTests {
    @Test(
        "payloads are *.json that are not hidden", arguments: ["a.json", "~.json", "a b.json", "a.tmp.json", "ü.json"])
    func payload(_ name: String) {
        #expect(FileName(name).isPayload)
    }

    @Test(
        "temporaries, hidden names and other endings are no payloads",
        arguments: [".a.json", ".json", "a.json.tmp", "a.json.part", "a.json~", "a.JSON", "json", "a.txt", ""])
    func noPayload(_ name: String) {
        #expect(!FileName(name).isPayload)
    }

    @Test("numbers go before the ending, and a long name is cut between characters to make room")
    func numbered() {
        #expect(FileName("a.json").numbered(1).text == "a.json")
        #expect(FileName("a.json").numbered(2).text == "a-2.json")
        #expect(FileName("a").numbered(3).text == "a-3")
        let long = FileName(String(repeating: "ü", count: 125) + ".json")
        #expect(long.numbered(1).text == long.text)
        #expect(long.numbered(10, limit: 20).text == "üüüüüü-10.json")
        #expect(long.numbered(10, limit: 21).text.utf8.count == 20)
    }

    @Test("names that only look alike are two names")
    func normalization() {
        let composed = FileName("\u{E9}.json")
        let decomposed = FileName("e\u{301}.json")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }
}
