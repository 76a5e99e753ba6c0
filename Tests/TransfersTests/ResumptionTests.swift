import Addresses
import Glibc
import Hashing
import ImageInspection
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// What was broken off is gone on with where that is safe, and never glued to other bytes.
@Suite("Going on with what broke off", .timeLimit(.minutes(1)))
struct ResumptionTests {
    private static let picture: [UInt8] = SampleImages.jpeg(seed: 1, bytes: 9982)
    private static let other: [UInt8] = SampleImages.jpeg(seed: 2, bytes: 4711)
    private static let there = 5000
    private static let range = "Content-Range: bytes 5000-9981/9982"

    /// A fixture, and a file with the first half of the picture.
    private func broken(
        _ change: (inout TransferOptions) -> Void = { _ in }, bytes: [UInt8]? = nil
    ) throws -> (TransferFixture, Descriptor) {
        let fixture = try TransferFixture(change)
        let file = try fixture.file()
        try file.write(bytes ?? Array(Self.picture.prefix(Self.there)))
        return (fixture, file)
    }

    private func resume(_ fixture: TransferFixture, _ file: Descriptor) async throws -> Result<
        Download, TransferFailure
    > {
        try await fixture.resume("/picture", file, validator: "\"a\"", total: 9982)
    }

    private func failure(_ fixture: TransferFixture, _ file: Descriptor) async throws -> TransferFailure {
        switch try await resume(fixture, file) {
        case .success(let download): throw TransferFixture.Unexpected(download: download)
        case .failure(let failure): return failure
        }
    }

    private static func rest(_ headers: [String], of body: [UInt8]? = nil) -> ScriptedAnswer {
        .status("206 Partial Content", body ?? Array(picture.dropFirst(there)), headers: headers)
    }

    /// What is there, of /picture.
    private static func remains(of fixture: TransferFixture) throws -> Remains {
        try remains(of: fixture, Array(picture.prefix(there)))
    }

    private static func remains(
        of fixture: TransferFixture, _ bytes: [UInt8], validator: String = "\"a\"", total: Int64 = 9982
    ) throws -> Remains {
        Remains(
            bytes: Int64(bytes.count), content: ContentID.of(bytes), validator: validator,
            source: try fixture.name("/picture"), total: total)
    }

    @Test("The rest is asked for by its range and the ETag, and nothing else; it comes to one picture")
    func goneOn() async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/picture", Self.rest([Self.range, "Cache-Control: max-age=9"]))
        let download = try await resume(fixture, file).get()
        #expect(try content(of: file) == Self.picture)
        #expect(download.content == ContentID.of(Self.picture))
        #expect(download.bytes == 9982 && download.resumedFrom == 5000)
        #expect(download.header.type == .jpeg)
        #expect(download.response.etag == "\"a\"" && download.response.cacheControl == "max-age=9")
        #expect(fixture.loop.statistics.bytesReceived == 4982)
        let request = try #require(fixture.origin.requests.first)
        #expect(request.header("range") == "bytes=5000-" && request.header("if-range") == "\"a\"")
        #expect(request.header("if-none-match") == nil && request.header("accept-encoding") == "identity")
    }

    @Test(
        "Any other part is not taken: one request for the whole follows at once",
        arguments: [
            rest([]), rest(["Content-Range: bytes 5001-9981/9982"], of: Array(picture.dropFirst(5001))),
            rest(["Content-Range: bytes 0-9981/9982"], of: picture), rest(["Content-Range: bytes 5000-9981/9983"]),
            rest(["Content-Range: bytes 5000-9980/9982"], of: Array(picture.dropFirst(5000).dropLast())),
            rest(["Content-Range: bytes 5000-9982/9983"], of: Array(picture.dropFirst(5000)) + [0]),
            rest([range, "Content-Type: multipart/byteranges; boundary=x"]), rest([range, "ETag: \"b\""]),
            rest([range, "ETag: W/\"a\""]), rest([range, "Content-Encoding: gzip"]), rest([range], of: [1, 2, 3]),
            rest([range, range]),
            // Longer than it says: in chunks, for with a length libcurl would not read on.
            .raw(
                "HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\n\(range)\r\n\r\n",
                then: .bytes(ScriptedAnswer.chunk(Array(picture[5000..<9000]))),
                .bytes(ScriptedAnswer.chunk(Array(picture[9000...]) + [0])), .bytes(Array("0\r\n\r\n".utf8))),
            // What it says fits, and still they are not of one picture.
            rest([range], of: [UInt8](repeating: 0, count: 4982)),
        ] as [ScriptedAnswer])
    func odd(answer: ScriptedAnswer) async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/picture", answer, .ok(Self.other, headers: ["ETag: \"b\""]))
        let download = try await resume(fixture, file).get()
        #expect(try content(of: file) == Self.other)
        #expect(download.content == ContentID.of(Self.other) && download.bytes == 4711 && download.resumedFrom == 0)
        let requests = fixture.origin.requests
        #expect(requests.map { $0.header("range") } == ["bytes=5000-", nil])
        #expect(requests.map { $0.header("if-range") } == ["\"a\"", nil])
        #expect(requests.allSatisfy { $0.header("if-none-match") == nil })
    }

    @Test("It is begun afresh only once")
    func once() async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/picture", Self.rest([]))
        let failure = try await failure(fixture, file)
        #expect(failure.code == .badResponse && failure.remains == nil)
        #expect(fixture.origin.requests.count == 2)
    }

    @Test("What was found not to fit is not kept for another time, whatever becomes of the request for the whole")
    func afreshAndLost() async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/picture", Self.rest([]), ScriptedAnswer(.close))
        let failure = try await failure(fixture, file)
        #expect(failure.code == .connectionLost && failure.remains == nil)
    }

    @Test("A new body is taken in the same request, shorter than what was there or not", arguments: [4711, 20_000])
    func changed(bytes: Int) async throws {
        let (fixture, file) = try broken()
        let picture = SampleImages.jpeg(seed: 3, bytes: bytes)
        fixture.origin.script("/picture", .ok(picture, headers: ["ETag: \"b\""]))
        let download = try await resume(fixture, file).get()
        #expect(try content(of: file) == picture)
        #expect(download.content == ContentID.of(picture) && download.resumedFrom == 0)
        #expect(download.response.etag == "\"b\"")
        #expect(fixture.origin.requests.count == 1)
    }

    @Test("A new body that breaks off leaves itself, and nothing of the old one")
    func changedAndCut() async throws {
        let (fixture, file) = try broken()
        let cut = ScriptedAnswer(
            .bytes(ScriptedAnswer.head("HTTP/1.1 200 OK", "ETag: \"b\"", "Content-Length: 4711")),
            .bytes(Array(Self.other.prefix(3000))), .close)
        fixture.origin.script("/picture", cut)
        let failure = try await failure(fixture, file)
        let there = Array(Self.other.prefix(3000))
        #expect(failure.code == .truncated)
        #expect(try failure.remains == Self.remains(of: fixture, there, validator: "\"b\"", total: 4711))
        #expect(try content(of: file) == there)
    }

    @Test(
        "A rest that breaks off in its turn leaves more than was there",
        arguments: [
            ScriptedAnswer(
                .bytes(ScriptedAnswer.head("HTTP/1.1 206 Partial Content", range, "Content-Length: 4982")),
                .bytes(Array(picture[5000..<7000])), .close),
            // Ended as if it were all.
            ScriptedAnswer(
                .bytes(ScriptedAnswer.head("HTTP/1.1 206 Partial Content", range, "Transfer-Encoding: chunked")),
                .bytes(ScriptedAnswer.chunk(Array(picture[5000..<7000]))), .bytes(Array("0\r\n\r\n".utf8))),
            ScriptedAnswer(
                .bytes(ScriptedAnswer.head("HTTP/1.1 206 Partial Content", range, "Connection: close")),
                .bytes(Array(picture[5000..<7000])), .close),
        ])
    func cut(answer: ScriptedAnswer) async throws {
        let (fixture, file) = try broken()
        fixture.origin.script(
            "/picture", answer, Self.rest(["Content-Range: bytes 7000-9981/9982"], of: Array(Self.picture[7000...])))
        let failure = try await failure(fixture, file)
        let there = Array(Self.picture.prefix(7000))
        #expect(failure.code == .truncated && failure.mayPass)
        #expect(try failure.remains == Self.remains(of: fixture, there))
        #expect(try content(of: file) == there)
        #expect(try await resume(fixture, file).get().content == ContentID.of(Self.picture))
        #expect(fixture.origin.requests.last?.header("range") == "bytes=7000-")
    }

    @Test("An error page is never written; what was there stays where the error may pass", arguments: [503, 429, 404])
    func errorPage(status: Int) async throws {
        let (fixture, file) = try broken()
        fixture.origin.script(
            "/picture", .status("\(status) No", Array("<html>".utf8), headers: ["Content-Type: text/html", Self.range]))
        let failure = try await failure(fixture, file)
        #expect(failure.code == .httpStatus && failure.httpStatus == status)
        #expect(try failure.remains == (status == 404 ? nil : Self.remains(of: fixture)))
        #expect(try content(of: file) == Array(Self.picture.prefix(5000)))
    }

    @Test("What comes to nothing before any answer leaves what was there")
    func unanswered() async throws {
        let (fixture, file) = try broken()
        let remains = try Self.remains(of: fixture)
        fixture.origin.script("/picture", ScriptedAnswer(.close))
        let lost = try await failure(fixture, file)
        #expect(lost.code == .connectionLost && lost.remains == remains)
        await fixture.loop.stop()
        let stopped = try await failure(fixture, file)
        #expect(stopped == .cancelled && stopped.remains == remains)
        #expect(try content(of: file) == Array(Self.picture.prefix(5000)))

        let (impatient, other) = try broken { $0.stallTimeout = .milliseconds(100) }
        impatient.origin.script("/picture", ScriptedAnswer(.stall))
        let stalled = try await failure(impatient, other)
        #expect(try stalled.code == .stalled && stalled.remains == Self.remains(of: impatient))
        #expect(try content(of: other) == Array(Self.picture.prefix(5000)))
    }

    @Test("Nothing new, where nothing was asked about, is a bad response")
    func unchanged() async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/picture", .raw("HTTP/1.1 304 Not Modified\r\n\r\n"))
        let failure = try await failure(fixture, file)
        #expect(failure.code == .badResponse && failure.remains == nil)
    }

    @Test("Where all was there already the origin says so, and no byte more is needed")
    func whole() async throws {
        let (fixture, file) = try broken(bytes: Self.picture)
        fixture.origin.script(
            "/picture",
            .status(
                "416 Range Not Satisfiable", Array("<html>no".utf8),
                headers: ["Content-Range: bytes */9982", "Cache-Control: no-store"]))
        let download = try await resume(fixture, file).get()
        #expect(download.content == ContentID.of(Self.picture))
        #expect(download.bytes == 9982 && download.resumedFrom == 9982)
        #expect(download.response.etag == "\"a\"" && download.response.cacheControl == nil)
        #expect(try content(of: file) == Self.picture)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test(
        "Else it is begun afresh",
        arguments: [
            ["Content-Range: bytes */9983"], ["Content-Range: bytes */4000"], [],
            ["Content-Range: bytes */9982", "ETag: \"b\""],
        ])
    func notWhole(headers: [String]) async throws {
        let (fixture, file) = try broken(bytes: Self.picture)
        fixture.origin.script(
            "/picture", .status("416 Range Not Satisfiable", Array("<html>".utf8), headers: headers), .ok(Self.other))
        #expect(try await resume(fixture, file).get().resumedFrom == 0)
        #expect(try content(of: file) == Self.other)
    }

    @Test("All of what is no picture is not all: it is begun afresh")
    func wholeButNoPicture() async throws {
        let (fixture, file) = try broken()
        fixture.origin.script(
            "/picture", .status("416 Range Not Satisfiable", headers: ["Content-Range: bytes */5000"]),
            .ok(Self.other))
        let result = try await fixture.resume("/picture", file, validator: "\"a\"", total: nil)
        #expect(try result.get().content == ContentID.of(Self.other))
        #expect(try content(of: file) == Self.other)
    }

    @Test("Notes that nobody can have written are not asked with", arguments: ["W/\"a\"", "\"a\"\r\nX: y", "garbage"])
    func notes(validator: String) async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/picture", .ok(Self.other))
        _ = try await fixture.resume("/picture", file, validator: validator, total: 9982).get()
        #expect(try content(of: file) == Self.other)
        #expect(fixture.origin.requests.map { $0.header("range") } == [nil])
    }

    @Test("The limit of bytes holds for all of it")
    func limit() async throws {
        let (fixture, file) = try broken { $0.imageBytes = 9981 }
        fixture.origin.script("/picture", Self.rest([Self.range]))
        let failure = try await failure(fixture, file)
        #expect(failure.code == .tooLarge && failure.remains == nil)
    }

    @Test(
        "Where a redirect leads to another URL the whole is asked for, and nothing else taken",
        arguments: ["/picture", "/moved?2"])
    func elsewhere(target: String) async throws {
        let (fixture, file) = try broken()
        // As large, with the same ETag, and happy to give any part of it.
        let lookalike = SampleImages.jpeg(seed: 2, bytes: 9982)
        fixture.origin.script("/picture", .redirect(to: "/moved?2"))
        fixture.origin.respond(to: "/moved") { .file(lookalike, etag: "\"a\"", to: $0) }
        let download = try await fixture.resume(
            target, file, validator: "\"a\"", total: 9982, from: "/moved?1"
        ).get()
        #expect(download.resumedFrom == 0 && download.content == ContentID.of(lookalike))
        #expect(try content(of: file) == lookalike)
        #expect(fixture.origin.requests.allSatisfy { $0.header("range") == nil && $0.header("if-range") == nil })
    }

    @Test("What redirects to another URL, and fails there, leaves what was there")
    func elsewhereAndLost() async throws {
        let (fixture, file) = try broken()
        fixture.origin.script("/elsewhere", .redirect(to: "/lost"))
        fixture.origin.script("/lost", ScriptedAnswer(.close))
        guard
            case .failure(let failure) = try await fixture.resume(
                "/elsewhere", file, validator: "\"a\"", total: 9982, from: "/picture")
        else { throw TransferFixture.Unexpected() }
        #expect(try failure.code == .connectionLost && failure.remains == Self.remains(of: fixture))
        #expect(try content(of: file) == Array(Self.picture.prefix(5000)))
    }

    @Test("Along a redirect the rest is asked for where it is from; afresh is no hop, and asks where the last one led")
    func redirect() async throws {
        let (fixture, file) = try broken { $0.maxRedirects = 2 }
        fixture.origin.script("/picture", .redirect(to: "/moved"))
        fixture.origin.script("/moved", Self.rest([]), .redirect(to: "/again"))
        fixture.origin.script("/again", .ok(Self.other))
        let result = try await fixture.resume("/picture", file, validator: "\"a\"", total: 9982, from: "/moved")
        #expect(try result.get().content == ContentID.of(Self.other))
        #expect(try content(of: file) == Self.other)
        let requests = fixture.origin.requests
        #expect(requests.map(\.target) == ["/picture", "/moved", "/moved", "/again"])
        #expect(requests.map { $0.header("range") } == [nil, "bytes=5000-", nil, nil])

        let (strict, second) = try broken { $0.maxRedirects = 1 }
        strict.origin.script("/picture", .redirect(to: "/moved"))
        strict.origin.script("/moved", Self.rest([]), .redirect(to: "/again"))
        let refused = try await strict.resume("/picture", second, validator: "\"a\"", total: 9982, from: "/moved")
        guard case .failure(let failure) = refused else { throw TransferFixture.Unexpected() }
        #expect(failure.code == .redirects)
    }

    @Test("Progress counts what was there")
    func progress() async throws {
        let (fixture, file) = try broken()
        let gate = try Gate()
        let head = ScriptedAnswer.head("HTTP/1.1 206 Partial Content", Self.range, "Content-Length: 4982")
        fixture.origin.script(
            "/picture",
            ScriptedAnswer(
                .bytes(head + Self.picture[5000..<8000]), .wait(gate), .bytes(Array(Self.picture[8000...]))))
        let prefix = BodyPrefix(of: Array(Self.picture.prefix(5000)))
        let told = Locked<[Int64]>([])
        let request = TransferRequest(
            url: try fixture.url("/picture"), body: file,
            resumption: Resumption(
                prefix: prefix, validator: "\"a\"", source: try fixture.name("/picture"), total: nil),
            whenProgressed: { bytes, total in
                told.withLock { $0 += [bytes, total ?? 0] }
                gate.open()
            })
        _ = try await fixture.loop.download(request).get()
        #expect(told.withLock { $0.prefix(2) } == [8000, 9982])
    }
}
