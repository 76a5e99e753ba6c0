import Addresses
import Foundation
import Hashing
import ImageInspection
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// What becomes of bodies, good and bad, over a real connection.
@Suite(.timeLimit(.minutes(1)))
struct BodyTests {
    private let picture = SampleImages.jpeg(width: 60, height: 40, seed: 1, bytes: 9982)
    private let head = "HTTP/1.1 200 OK\r\n"

    @Test func `a picture is stored as it came, named by its bytes, with its size and what was said of it`()
        async throws
    {
        let fixture = try TransferFixture()
        fixture.origin.script(
            "/picture.jpg",
            .ok(
                picture,
                headers: [
                    "ETag: \"a\"", "Cache-Control: max-age=60", "Cache-Control: public", "Vary: Accept",
                    "Last-Modified: yesterday", "Age: 3", "Expires: 0", "Date: now",
                ]))
        let file = try fixture.file()
        let download = try await fixture.fetch("/picture.jpg?token=1", into: file).get()
        #expect(try content(of: file) == picture)
        #expect(download.content == ContentID.of(picture))
        #expect(download.bytes == 9982)
        #expect(download.header.type == .jpeg)
        #expect(download.header.width == 60)
        #expect(download.header.height == 40)
        var response = ResponseMetadata()
        response.etag = "\"a\""
        response.cacheControl = "max-age=60, public"
        response.vary = "Accept"
        response.lastModified = "yesterday"
        response.age = "3"
        response.expires = "0"
        response.date = "now"
        #expect(download.response == response)
        #expect(fixture.loop.statistics == TransferStatistics(active: 0, bytesReceived: 9982))
    }

    @Test func `the request says which pictures are wanted, and nothing of compression`() async throws {
        let fixture = try TransferFixture {
            $0.imageTypes = [.jpeg, .svg]
            $0.userAgent = "storiesd/1.0"
        }
        fixture.origin.script("/p", .ok(picture))
        _ = try await fixture.fetch("/p?a=b").get()
        let request = try #require(fixture.origin.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/p?a=b")
        #expect(request.header("accept") == "image/jpeg,image/svg+xml")
        #expect(request.header("accept-encoding") == "identity")
        #expect(request.header("user-agent") == "storiesd/1.0")
    }

    @Test func `a body that is cut is truncated, by its length and by its chunks`() async throws {
        let fixture = try TransferFixture()
        let cut = ScriptedAnswer(
            .bytes(Array("\(head)Content-Length: 9982\r\n\r\n".utf8) + picture.prefix(5000)), .close)
        #expect(try await fixture.failure(of: cut).code == .truncated)
        let chunked = ScriptedAnswer.chunked([picture], ended: false)
        let failure = try await fixture.failure(of: chunked)
        #expect(failure.code == .truncated)
        #expect(failure.mayPass)
    }

    @Test func `a picture in chunks is a picture`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .chunked([Array(picture.prefix(7)), Array(picture.dropFirst(7))]))
        #expect(try await fixture.fetch("/p").get().content == ContentID.of(picture))
    }

    @Test func `a body without a length that ends in the middle is an incomplete picture`() async throws {
        let fixture = try TransferFixture()
        let cut = ScriptedAnswer(.bytes(Array("\(head)\r\n".utf8) + picture.prefix(9000)), .close)
        let failure = try await fixture.failure(of: cut)
        #expect(failure.code == .incompleteImage)
        #expect(!failure.mayPass)
    }

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5, 6\r\n", "Content-Length: -5\r\n",
        "Content-Length: many\r\n", "Content-Length: 9982\r\nTransfer-Encoding: chunked\r\n",
    ])
    func `a head that contradicts itself is a bad response`(fields: String) async throws {
        let fixture = try TransferFixture()
        let failure = try await fixture.failure(
            of: ScriptedAnswer(.bytes(Array("\(head)\(fields)\r\n".utf8) + picture), .close))
        #expect(failure.code == .badResponse)
    }

    @Test func `one length said twice is one length`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .ok(picture, headers: ["Content-Length: 9982"]))
        #expect(try await fixture.fetch("/p").get().bytes == 9982)
    }

    @Test(arguments: ["99999999999999999999999", "9223372036854775807", "33554433"])
    func `a length over the limit is too large at once`(length: String) async throws {
        let fixture = try TransferFixture()
        let failure = try await fixture.failure(
            of: .raw("\(head)Content-Length: \(length)\r\n\r\n", then: .bytes(picture), .stall))
        #expect(failure.code == .tooLarge)
    }

    @Test func `answers that are no HTTP are bad responses`() async throws {
        let fixture = try TransferFixture()
        let chunk = "\(head)Transfer-Encoding: chunked\r\n\r\n"
        let answers: [ScriptedAnswer] = [
            .raw("\(chunk)ffffffffffffffff\r\nabc", then: .stall),
            .raw("\(chunk)zz\r\nabc", then: .stall),
            ScriptedAnswer(.bytes(picture), .close),
            .raw("HTTP/1.1 two hundred\r\n\r\n", then: .close),
            .raw("\(head)X: \(String(repeating: "y", count: 400_000))\r\n\r\n", then: .close),
            .raw(head + String(repeating: "X: y\r\n", count: 60_000) + "\r\n", then: .close),
        ]
        for (index, answer) in answers.enumerated() {
            let failure = try await fixture.failure(of: answer)
            #expect(failure.code == .badResponse, "answer \(index): \(failure)")
        }
    }

    @Test func `endless heads are a bad response`() async throws {
        let fixture = try TransferFixture()
        let answer = ScriptedAnswer(.bytes(Array(head.utf8)), .endless(Array("X: y\r\n".utf8)))
        #expect(try await fixture.failure(of: answer).code == .badResponse)
    }

    @Test func `no body is empty, however it is said`() async throws {
        let fixture = try TransferFixture()
        #expect(try await fixture.failure(of: .ok([])).code == .empty)
        #expect(try await fixture.failure(of: .raw("HTTP/1.1 204 No Content\r\n\r\n")).code == .empty)
        #expect(try await fixture.failure(of: .raw("\(head)\r\n", then: .close)).code == .empty)
        #expect(try await fixture.failure(of: .chunked([])).code == .empty)
    }

    @Test func `a part, or nothing new, that nobody asked for is a bad response`() async throws {
        let fixture = try TransferFixture()
        let part = ScriptedAnswer.status("206 Partial Content", picture, headers: ["Content-Range: bytes 0-9981/9982"])
        #expect(try await fixture.failure(of: part).code == .badResponse)
        #expect(try await fixture.failure(of: .raw("HTTP/1.1 304 Not Modified\r\n\r\n")).code == .badResponse)
    }

    @Test func `interim answers are passed over`() async throws {
        let fixture = try TransferFixture()
        var answer = ScriptedAnswer.ok(picture)
        answer.steps.insert(.bytes(ScriptedAnswer.head("HTTP/1.1 103 Early Hints", "Link: </a>")), at: 0)
        fixture.origin.script("/p", answer)
        #expect(try await fixture.fetch("/p").get().bytes == 9982)
    }

    @Test func `an endless body is too large at the limit, in chunks and without`() async throws {
        let fixture = try TransferFixture { $0.imageBytes = 300_000 }
        let more = [UInt8](repeating: 1, count: 10_000)
        let start = SampleImages.jpeg(seed: 2, bytes: 2000).dropLast(2)
        let chunked = ScriptedAnswer(
            .bytes(Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)),
            .bytes(ScriptedAnswer.chunk(Array(start))), .endless(ScriptedAnswer.chunk(more)))
        #expect(try await fixture.failure(of: chunked).code == .tooLarge)
        let plain = ScriptedAnswer(.bytes(Array("\(head)\r\n".utf8) + start), .endless(more))
        #expect(try await fixture.failure(of: plain).code == .tooLarge)
        #expect(fixture.loop.statistics.bytesReceived < 2_000_000)
    }

    @Test func `a reset in the middle and a close without an answer are a lost connection`() async throws {
        let fixture = try TransferFixture()
        let body = Array("\(head)Content-Length: 9982\r\n\r\n".utf8) + picture.prefix(5000)
        let reset = try await fixture.failure(of: ScriptedAnswer(.bytes(body), .reset))
        #expect(reset.code == .connectionLost)
        #expect(reset.mayPass)
        #expect(try await fixture.failure(of: ScriptedAnswer(.close)).code == .connectionLost)
        #expect(try await fixture.failure(of: ScriptedAnswer(.reset)).code == .connectionLost)
        #expect(
            try await fixture.failure(of: .raw("HTTP/1.1 200 OK\r\nContent-", then: .close)).code == .connectionLost)
    }

    @Test func `a connection that the origin closed while it was idle costs nothing`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/1", .ok(picture))
        // On the second request the origin closes, as one does whose idle time is over just then.
        fixture.origin.script("/2", ScriptedAnswer(.close), .ok(picture))
        _ = try await fixture.fetch("/1").get()
        #expect(try await fixture.fetch("/2").get().bytes == 9982)
        #expect(fixture.origin.requests.map(\.connection) == [1, 1, 2])
    }

    @Test(arguments: ["404 Not Found", "410 Gone", "403 Forbidden", "500 Internal Server Error", "201 Created"])
    func `any other status is told, and its body is not written`(status: String) async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .status(status, picture))
        let file = try fixture.file()
        let result = try await fixture.fetch("/p", into: file)
        guard case .failure(let failure) = result else {
            Issue.record("it came through")
            return
        }
        let number = Int(status.prefix(3))
        #expect(failure.code == .httpStatus)
        #expect(failure.httpStatus == number)
        #expect(failure.mayPass == (number == 500))
        #expect(try content(of: file).isEmpty)
    }

    @Test func `a short body of an error leaves the connection usable`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/none", .status("404 Not Found", Array("no".utf8)))
        fixture.origin.script("/p", .ok(picture))
        _ = try await fixture.failure("/none")
        _ = try await fixture.fetch("/p").get()
        #expect(fixture.origin.connections == 1)
    }

    @Test func `an origin that asks for patience is quoted`() async throws {
        let fixture = try TransferFixture()
        let failure = try await fixture.failure(of: .status("503 Busy", headers: ["Retry-After: 2"]))
        #expect(failure.retryAfter == .seconds(2))
        #expect(failure.mayPass)
    }

    @Test func `a disk that takes no more is io, or no_space`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .ok(picture))
        let full = try Directory.open("/dev").openFile("full", flags: O_WRONLY)
        guard case .failure(let failure) = try await fixture.fetch("/p", into: full) else {
            Issue.record("it came through")
            return
        }
        #expect(failure.code == .noSpace)
        let readOnly = try Directory.open("/dev").openFile("null", flags: O_RDONLY)
        guard case .failure(let other) = try await fixture.fetch("/p", into: readOnly) else {
            Issue.record("it came through")
            return
        }
        #expect(other.code == .io)
        #expect(other.mayPass)
    }
}
