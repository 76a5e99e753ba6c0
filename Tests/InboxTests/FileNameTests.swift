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

    @Test("letters that make one character are many scalars, and are cut between these")
    func clusters() {
        let cluster = FileName("e" + String(repeating: "\u{301}", count: 120) + ".json")
        #expect(cluster.numbered(1, limit: 100).text.utf8.count == 100)
        #expect(cluster.numbered(2, limit: 243).isPayload)
        #expect(FileName("\u{600}.json").numbered(1).text.unicodeScalars.elementsEqual("\u{600}.json".unicodeScalars))
        #expect(
            FileName("q\u{600}.json").numbered(2).text.unicodeScalars.elementsEqual("q\u{600}-2.json".unicodeScalars))
        #expect(FileName("\u{600}.json").isPayload)
    }

    @Test("unfinished names are ignored", arguments: [".a", "a.tmp", "a.part", "a~", "~", "\u{600}.tmp"])
    func ignored(_ name: String) {
        #expect(FileName(name).isIgnored)
        #expect(!FileName(name + "x").isIgnored || name.hasPrefix("."))
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
