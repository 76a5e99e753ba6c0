import Hashing
import Testing

@testable import Transfers

@Suite("What is said of parts")
struct ContentRangeTests {
    @Test("A part is read, its total known or not")
    func parts() {
        #expect(ContentRange("bytes 5-9/10") == .part(first: 5, last: 9, total: 10))
        #expect(ContentRange("Bytes  0-0/1") == .part(first: 0, last: 0, total: 1))
        #expect(ContentRange("bytes 5-9/*") == .part(first: 5, last: 9, total: nil))
        #expect(ContentRange("bytes */10") == ContentRange.none(of: 10))
    }

    @Test(
        "What is no part is none",
        arguments: [
            "", "bytes", "bytes 5-9", "bytes 5-9/9", "bytes 9-5/10", "bytes -5-9/10", "bytes 5-/10", "bytes +5-9/10",
            "bytes 5-9/", "bytes 5-9/x", "bytes 5-9/10/11", "bytes */*", "bytes */", "items 5-9/10", "bytes=5-9/10",
            "bytes 5-9/99999999999999999999", "bytes 5-9/10, 5-9/10", "bytes 5 - 9/10", "bytes ٥-9/10",
        ])
    func none(text: String) {
        #expect(ContentRange(text) == nil)
    }
}

@Suite("What tells for certain that bytes are the same")
struct StrongValidatorTests {
    private func text(etag: String? = nil, lastModified: String? = nil, date: String? = nil) -> String? {
        var answer = ResponseMetadata()
        (answer.etag, answer.lastModified, answer.date) = (etag, lastModified, date)
        return StrongValidator(answer)?.text
    }

    private let changed = "Sun, 06 Nov 1994 08:48:37 GMT"

    @Test("A strong ETag does, a weak one or what is none does not")
    func etags() {
        #expect(text(etag: "\"a\"") == "\"a\"")
        #expect(text(etag: "\"\"") == "\"\"")
        for etag in ["W/\"a\"", "w/\"a\"", "a", "\"", "\"a", "\"a\"b\"", "\"a b\"", "\"a\u{1}\"", ""] {
            #expect(text(etag: etag) == nil, "\(etag)")
        }
    }

    @Test("A date does where it is a minute before the answer's own, and there is no ETag of any kind")
    func dates() {
        #expect(text(lastModified: changed, date: "Sun, 06 Nov 1994 08:49:37 GMT") == changed)
        #expect(text(lastModified: changed, date: "Sun, 06 Nov 1994 08:49:36 GMT") == nil)
        #expect(text(lastModified: changed) == nil)
        #expect(text(lastModified: "yesterday", date: changed) == nil)
        #expect(text(etag: "W/\"a\"", lastModified: changed, date: "Mon, 07 Nov 1994 08:49:37 GMT") == nil)
    }

    @Test("What was noted is held to the same")
    func noted() {
        #expect(StrongValidator("\"a\"")?.text == "\"a\"")
        #expect(StrongValidator(changed)?.text == changed)
        for text in ["", "W/\"a\"", "\"a\"\r\nX: y", "\(changed)\r\nX: y", "garbage"] {
            #expect(StrongValidator(text) == nil, "\(text)")
        }
    }

    @Test("Nothing is asked for the rest of that cannot have one")
    func rests() {
        #expect(RestRequest(from: 1, validator: "\"a\"", total: nil) != nil)
        #expect(RestRequest(from: 5, validator: "\"a\"", total: 5) != nil)
        #expect(RestRequest(from: 0, validator: "\"a\"", total: nil) == nil)
        #expect(RestRequest(from: 6, validator: "\"a\"", total: 5) == nil)
        #expect(RestRequest(from: 1, validator: "W/\"a\"", total: nil) == nil)
    }
}
