import Stories
import TestOrigins
import TestSupport

/// One thing that an origin does wrong, at a path of its own, and what must come of it.
struct Fault {
    let path: String
    /// The answers to the first request and to those after it; the last is for all that follow.
    let answers: [ScriptedAnswer]
    /// What the page fails with; nil where it is cached in the end.
    let code: PageError.Code?
    let attempts: Int

    init(_ path: String, _ answers: ScriptedAnswer..., code: PageError.Code?, attempts: Int = 1) {
        self.path = path
        self.answers = answers
        self.code = code
        self.attempts = attempts
    }

    static let picture = SampleImages.png(seed: 7, bytes: 20_000)
    private static let photo = SampleImages.jpeg(seed: 7, bytes: 20_000)
    private static let gzip = ["Content-Encoding: gzip"]

    /// Where two attempts are made, a body may have 1,000,000 bytes and a picture 10,000 pixels, what brings no 1,000
    /// bytes in a second is stalled and a page may take two.
    static func all() async throws -> [Fault] {
        cut + framing + slow + refusals + contents + (try await compressed())
    }

    /// Bodies without an end.
    private static let cut = [
        Fault("/truncated", announced(picture[..<5_000], then: .close), code: .truncated, attempts: 2),
        Fault("/no-last-chunk", .chunked([Array(picture[..<5_000])], ended: false), code: .truncated, attempts: 2),
        Fault("/cut-png", unannounced(picture[..<5_000]), code: .incompleteImage),
        Fault("/cut-jpeg", unannounced(photo[..<(photo.count - 2)]), code: .incompleteImage),
        Fault("/reset", announced(picture[..<5_000], then: .reset), code: .connectionLost, attempts: 2),
        Fault("/reset-once", announced(picture[..<5_000], then: .reset), .ok(picture), code: nil, attempts: 2),
        Fault("/closed-unanswered", ScriptedAnswer(.close), code: .connectionLost, attempts: 2),
        Fault("/204", .raw("HTTP/1.1 204 No Content\r\n\r\n"), code: .empty),
        Fault("/empty", .ok([]), code: .empty),
    ]

    /// Heads and chunks that contradict themselves, or are none.
    private static let framing = [
        Fault("/two-lengths", lengths("20000", "20001"), code: .badResponse),
        Fault("/length-negative", lengths("-5"), code: .badResponse),
        Fault("/length-23-digits", lengths("100000000000000000000000"), code: .tooLarge),
        Fault("/length-63-bits", lengths("9223372036854775807"), code: .tooLarge),
        Fault(
            "/huge-chunk",
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\na", then: .stall),
            code: .badResponse),
        Fault("/no-status-line", ScriptedAnswer(.bytes(picture), .close), code: .badResponse),
        Fault(
            "/long-header-line",
            .raw("HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 400_000))\r\n\r\n", then: .close),
            code: .badResponse),
        Fault(
            "/unasked-206",
            .status("206 Partial Content", picture, headers: ["Content-Range: bytes 0-19999/20000"]),
            code: .badResponse),
        Fault("/unasked-304", .raw("HTTP/1.1 304 Not Modified\r\n\r\n"), code: .badResponse),
    ]

    /// What takes its time.
    private static let slow = [
        Fault("/never-answered", ScriptedAnswer(.stall), code: .stalled, attempts: 2),
        Fault("/stalled-midway", announced(picture[..<5_000], then: .stall), code: .stalled, attempts: 2),
        Fault(
            "/drip", ScriptedAnswer(.bytes(head(picture.count)), .drip(picture, every: .milliseconds(500))),
            code: .stalled, attempts: 2),
        Fault("/drizzle", ScriptedAnswer([.bytes(head(picture.count))] + drizzle), code: .timeout, attempts: 2),
    ]

    /// 1,100 bytes each third of a second.
    private static let drizzle = stride(from: 0, to: picture.count, by: 1_100).flatMap { start in
        let piece = picture[start..<min(start + 1_100, picture.count)]
        return [
            ScriptedAnswer.Step.bytes(Array(piece.dropLast())),
            .drip(Array(piece.suffix(1)), every: .milliseconds(333)),
        ]
    }

    /// Answers that are no success, or lead elsewhere.
    private static let refusals = [
        Fault("/404", .status("404 Not Found"), code: .httpStatus),
        Fault("/503", .status("503 Service Unavailable"), code: .httpStatus, attempts: 2),
        Fault("/503-then-200", .status("503 Service Unavailable"), .ok(picture), code: nil, attempts: 2),
        Fault(
            "/429-then-200", .status("429 Too Many Requests", headers: ["Retry-After: 1"]), .ok(picture), code: nil,
            attempts: 2),
        Fault("/to-file", .redirect(to: "file:///etc/hostname"), code: .schemeDenied),
        Fault("/to-ftp", .redirect(to: "ftp://127.0.0.1/a.png"), code: .schemeDenied),
        Fault("/to-itself", .redirect(to: "/to-itself"), code: .redirects),
    ]

    /// Bodies that are no picture that is wanted.
    private static let contents = [
        Fault(
            "/html", .ok(Array("<!doctype html><p>Log in</p>".utf8), headers: ["Content-Type: image/png"]),
            code: .notImage),
        Fault("/mp4", .ok([0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]), code: .unsupportedType),
        Fault("/many-pixels", .ok(SampleImages.png(width: 100_000, height: 1, seed: 3)), code: .tooManyPixels),
        Fault(
            "/endless-chunks",
            ScriptedAnswer(.bytes(chunkedHead + ScriptedAnswer.chunk(photo)), .endless(ScriptedAnswer.chunk(tail))),
            code: .tooLarge),
        Fault(
            "/endless", ScriptedAnswer(.bytes(ScriptedAnswer.head("HTTP/1.1 200 OK") + photo), .endless(tail)),
            code: .tooLarge),
        Fault("/announced-too-large", lengths("1000001"), code: .tooLarge),
    ]

    /// What is compressed although nobody asked for it.
    private static func compressed() async throws -> [Fault] {
        let good = try await Gzip.compress(photo)
        var broken = good
        for index in 20..<60 { broken[index] ^= 0x55 }
        let bomb = try await Gzip.compress(photo, zeros: 200_000_000)
        return [
            Fault("/gzip", .ok(good, headers: gzip), code: nil),
            Fault("/gzip-broken", .ok(broken, headers: gzip), code: .encoding),
            Fault("/gzip-that-is-none", .ok(picture, headers: gzip), code: .encoding),
            Fault("/gzip-bomb", .ok(bomb, headers: gzip), code: .tooLarge),
        ]
    }

    private static let tail = [UInt8](repeating: 1, count: 10_000)
    private static let chunkedHead = ScriptedAnswer.head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")

    private static func head(_ length: Int) -> [UInt8] {
        ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(length)")
    }

    private static func announced(_ body: ArraySlice<UInt8>, then end: ScriptedAnswer.Step) -> ScriptedAnswer {
        ScriptedAnswer(.bytes(head(picture.count) + body), end)
    }

    private static func unannounced(_ body: ArraySlice<UInt8>) -> ScriptedAnswer {
        ScriptedAnswer(.bytes(ScriptedAnswer.head("HTTP/1.1 200 OK", "Connection: close") + body), .close)
    }

    /// A picture whose head says these lengths.
    private static func lengths(_ lengths: String...) -> ScriptedAnswer {
        let lines = lengths.map { "Content-Length: \($0)\r\n" }.joined()
        return ScriptedAnswer(.bytes(Array("HTTP/1.1 200 OK\r\n\(lines)\r\n".utf8) + picture), .stall)
    }
}
