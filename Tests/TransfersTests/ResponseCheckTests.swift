import Platform
import Stories
import Testing

@testable import Transfers

/// Heads, line by line.
struct ResponseCheckTests {
    /// The verdict on a head of these lines, and the length that it announces.
    private func judged(
        _ lines: [String], rest: RestRequest? = nil
    ) -> (verdict: ResponseCheck.Verdict?, length: Int64?) {
        var check = ResponseCheck(imageBytes: 1000, rest: rest, now: Timestamp(milliseconds: 0))
        var verdict: ResponseCheck.Verdict?
        for line in lines + [""] {
            #expect(verdict == nil, "judged before the end")
            verdict = Array("\(line)\r\n".utf8).withUnsafeBytes { check.take($0) }
        }
        return (verdict, check.announcedLength)
    }

    private func verdict(_ lines: String...) -> ResponseCheck.Verdict? { judged(lines).verdict }

    private func code(_ verdict: ResponseCheck.Verdict?) -> PageError.Code? {
        guard case .fail(let failure) = verdict else { return nil }
        return failure.code
    }

    @Test func `a plain answer is accepted with its length`() {
        let accepted = ResponseCheck.Verdict.accept(ResponseMetadata())
        #expect(judged(["HTTP/1.1 200 OK", "Content-Length: 1000"]) == (accepted, 1000))
        #expect(judged(["HTTP/2 200 "]) == (accepted, nil))
        #expect(judged(["HTTP/1.1 200 OK", "content-length: 7, \t7 "]) == (accepted, 7))
    }

    @Test func `lengths that cannot be are refused`() {
        #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length: 1001")) == .tooLarge)
        #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length: 1\(String(repeating: "0", count: 23))")) == .tooLarge)
        #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length: +5")) == .badResponse)
        #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length:")) == .badResponse)
        #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length: 0")) == .empty)
        #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2")) == .badResponse)
    }

    /// What the head of a part means where the rest of a body was asked for, from its 600th byte on.
    private func part(
        _ lines: [String], validator: String = "\"a\"", total: Int64? = 900
    ) throws -> ResponseCheck.Verdict? {
        let rest = try #require(RestRequest(from: 600, validator: validator, total: total))
        return judged(["HTTP/1.1 206 Partial Content"] + lines, rest: rest).verdict
    }

    @Test func `the rest that was asked for is gone on with`() throws {
        let goOn = ResponseCheck.Verdict.goOn(.tagged("\"a\""), whole: 900)
        #expect(try part(["Content-Range: bytes 600-899/900", "Content-Length: 300", "ETag: \"a\""]) == goOn)
        #expect(try part(["Content-Range: bytes 600-899/900"]) == goOn)
        #expect(try part(["Content-Range: bytes 600-899/*"]) == goOn)
        #expect(try part(["Content-Range: bytes 600-899/900"], total: nil) == goOn)
        #expect(code(try part(["Content-Range: bytes 600-1000/1001"], total: nil)) == .tooLarge)
    }

    @Test func `by a date, the rest is told by the date`() throws {
        let (date, other) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT")
        var metadata = ResponseMetadata()
        metadata.lastModified = date
        let range = "Content-Range: bytes 600-899/900"
        #expect(try part([range], validator: date) == .goOn(metadata, whole: 900))
        #expect(try part([range, "Last-Modified: \(date)"], validator: date) == .goOn(metadata, whole: 900))
        #expect(try part([range, "Last-Modified: \(other)"], validator: date) == .afresh)
        #expect(try part([range, "ETag: \"new\""], validator: date) == .afresh)
    }

    @Test(arguments: [
        [], ["Content-Range: bytes 601-899/900"], ["Content-Range: bytes 599-899/900"],
        ["Content-Range: bytes 0-899/900"], ["Content-Range: bytes 600-898/900"], ["Content-Range: bytes 600-900/901"],
        ["Content-Range: bytes 600-898/899"], ["Content-Range: bytes 600-898/*"], ["Content-Range: bytes */900"],
        ["Content-Range: items 600-899/900"],
        ["Content-Range: bytes 600-899/900", "Content-Range: bytes 600-899/900"],
        ["Content-Range: bytes 600-899/900", "Content-Type: multipart/byteranges; boundary=x"],
        ["Content-Range: bytes 600-899/900", "Content-Encoding: gzip"],
        ["Content-Range: bytes 600-899/900", "ETag: \"b\""], ["Content-Range: bytes 600-899/900", "ETag: W/\"a\""],
        ["Content-Range: bytes 600-899/900", "Content-Length: 299"],
        ["Content-Range: bytes 600-899/900", "Content-Length: 300", "Content-Length: 301"],
    ])
    func `any other part is not the rest`(lines: [String]) throws {
        #expect(try part(lines) == .afresh)
    }

    @Test func `a part of a length that nobody knows may not be all that is left`() throws {
        #expect(try part(["Content-Range: bytes 600-899/*"], total: nil) == .afresh)
    }

    @Test func `that there is nothing more means that all is there, or nothing`() throws {
        func verdict(_ lines: [String], total: Int64?) throws -> ResponseCheck.Verdict? {
            let rest = try #require(RestRequest(from: 600, validator: "\"a\"", total: total))
            return judged(["HTTP/1.1 416 Range Not Satisfiable"] + lines, rest: rest).verdict
        }
        let whole = ResponseCheck.Verdict.whole(.tagged("\"a\""))
        let caching = "Cache-Control: no-store"
        #expect(try verdict(["Content-Range: bytes */600", caching], total: 600) == whole)
        #expect(try verdict(["Content-Range: bytes */600", "ETag: \"a\""], total: nil) == whole)
        #expect(try verdict(["Content-Range: bytes */600"], total: 900) == .afresh)
        #expect(try verdict(["Content-Range: bytes */500"], total: nil) == .afresh)
        #expect(try verdict(["Content-Range: bytes */600", "ETag: \"b\""], total: 600) == .afresh)
        #expect(try verdict(["Content-Range: bytes 0-599/600"], total: 600) == .afresh)
        #expect(try verdict([], total: 600) == .afresh)
        #expect(code(self.verdict("HTTP/1.1 416 Range Not Satisfiable", "Content-Range: bytes */600")) == .httpStatus)
    }

    @Test func `what an interim answer says does not count`() {
        let lines = ["HTTP/1.1 103 Early Hints", "ETag: x", "", "HTTP/1.1 200 OK", "Content-Length: 5"]
        #expect(judged(lines) == (.accept(ResponseMetadata()), 5))
    }

    @Test func `a change of protocol that nobody asked for is a bad response`() {
        #expect(code(verdict("HTTP/1.1 101 Switching Protocols", "Upgrade: h2c")) == .badResponse)
    }

    @Test func `a line in mid-head that looks like a status line changes nothing`() {
        for line in ["HTTP/1.1 200 OK", "HTTP/1.1 302: Found", "HTTP/9", "HTTP/1.1 103 Early Hints"] {
            let lines = ["HTTP/1.1 200 OK", "ETag: x", "Content-Length: 5", line]
            #expect(judged(lines) == (.accept(.tagged("x")), 5))
            #expect(code(verdict("HTTP/1.1 200 OK", "Content-Length: 1", line, "Content-Length: 2")) == .badResponse)
            #expect(code(verdict("HTTP/1.1 404 Not Found", line)) == .httpStatus)
        }
    }

    @Test func `a location may be UTF-8 or any bytes`() {
        #expect(verdict("HTTP/1.1 302 Found", "Location:  /ä  ") == .redirect(location: "/ä"))
        var check = ResponseCheck(imageBytes: 1, now: .now())
        let lines: [[UInt8]] = [
            Array("HTTP/1.1 302 Found\r\n".utf8), Array("Location: /".utf8) + [0xe4, 13, 10], [13, 10],
        ]
        let verdicts = lines.map { line in line.withUnsafeBytes { check.take($0) } }
        #expect(verdicts.last == .some(.redirect(location: "/%E4")))
    }

    @Test func `lines after the head are trailers and change nothing`() {
        var check = ResponseCheck(imageBytes: 10, now: .now())
        for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { _ = Array(line.utf8).withUnsafeBytes { check.take($0) } }
        #expect(Array("HTTP/1.1 500 No\r\n".utf8).withUnsafeBytes { check.take($0) } == nil)
        #expect(Array("\r\n".utf8).withUnsafeBytes { check.take($0) } == nil)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504, 400, 401, 403, 404, 410, 501, 505])
    func `a status that may pass is told from one that will not`(status: Int) {
        let passes = [408, 429, 500, 502, 503, 504]
        guard case .fail(let failure) = verdict("HTTP/1.1 \(status) x") else {
            Issue.record("accepted")
            return
        }
        #expect(failure.mayPass == passes.contains(status))
        #expect(failure.code == .httpStatus)
        #expect(failure.httpStatus == status)
    }

    @Test func `a status line that is none is a bad response, at once`() {
        for line in ["HTTP/1.1 2000 x", "HTTP/1.1", "HTTP/1.1 ok", "Content-Length: 5", "HTTP/1.1 -20 x"] {
            var check = ResponseCheck(imageBytes: 10, now: .now())
            #expect(code(Array("\(line)\r\n".utf8).withUnsafeBytes { check.take($0) }) == .badResponse)
        }
    }

    @Test func `Retry-After is a number, or a date to come, or nothing`() {
        let now = Timestamp(milliseconds: 784_111_777_000)
        #expect(RetryAfter.parse("2", now: now) == .seconds(2))
        #expect(RetryAfter.parse("0", now: now) == .zero)
        #expect(RetryAfter.parse("1000000000", now: now) == RetryAfter.longest)
        #expect(RetryAfter.parse(String(repeating: "9", count: 40), now: now) == RetryAfter.longest)
        #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:50:37 GMT", now: now) == .seconds(60))
        #expect(RetryAfter.parse("Sunday, 06-Nov-94 08:50:37 GMT", now: now) == .seconds(60))
        #expect(RetryAfter.parse("Sun Nov  6 08:50:37 1994", now: now) == .seconds(60))
        for text in ["-5", "", "soon", "1.5", "2 s", "Sun, 06 Nov 1994 08:49:36 GMT", "١٢"] {
            #expect(RetryAfter.parse(text, now: now) == nil, "\(text)")
        }
    }
}

extension ResponseMetadata {
    fileprivate static func tagged(_ etag: String) -> ResponseMetadata {
        var metadata = ResponseMetadata()
        metadata.etag = etag
        return metadata
    }
}
