import Addresses
import Glibc
import Hashing
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

@Suite("What a broken transfer leaves", .timeLimit(.minutes(1)))
struct RemainsTests {
    private static let picture = SampleImages.jpeg(seed: 1, bytes: 9982)
    private static let dates = [
        "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:50:37 GMT",
    ]

    private static func cut(_ headers: [String], then: ScriptedAnswer.Step = .close) -> ScriptedAnswer {
        let head = (["HTTP/1.1 200 OK", "Content-Length: 9982"] + headers + ["", ""]).joined(separator: "\r\n")
        return .raw(head, then: .bytes(Array(picture.prefix(5000))), then)
    }

    /// Of what came from /picture.
    private static func remains(
        _ validator: String, of fixture: TransferFixture, total: Int64? = 9982
    ) throws -> Remains {
        Remains(
            bytes: 5000, content: ContentID.of(Array(picture.prefix(5000))), validator: validator,
            source: try fixture.name("/picture"), total: total)
    }

    @Test("What is there is told with a strong ETag, or a strong date where there is no ETag")
    func strong() async throws {
        let fixture = try TransferFixture()
        let tagged = try Self.remains("\"a\"", of: fixture)
        #expect(try await fixture.failure(of: Self.cut(["ETag: \"a\""])).remains == tagged)
        let accepting = Self.cut(["ETag: \"a\"", "Accept-Ranges: bytes", "Content-Encoding: identity"])
        #expect(try await fixture.failure(of: accepting).remains == tagged)
        #expect(
            try await fixture.failure(of: Self.cut(Self.dates)).remains
                == Self.remains("Sun, 06 Nov 1994 08:49:37 GMT", of: fixture))
        let chunked = ScriptedAnswer.chunked(
            [Array(Self.picture.prefix(5000))], ended: false, headers: ["ETag: \"a\""])
        #expect(try await fixture.failure(of: chunked).remains == Self.remains("\"a\"", of: fixture, total: nil))
    }

    @Test(
        "Without, or where the origin gives no parts, there is nothing to go on with",
        arguments: [
            [], ["ETag: W/\"a\""], ["ETag: a"], ["ETag: W/\"a\""] + dates, [dates[0]],
            ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:38 GMT"],
            ["ETag: \"a\"", "Accept-Ranges: none"],
        ])
    func weak(headers: [String]) async throws {
        let fixture = try TransferFixture()
        let failure = try await fixture.failure(of: Self.cut(headers))
        #expect(failure.code == .truncated && failure.remains == nil)
    }

    @Test("Of a body that came encoded there is nothing to go on with")
    func encoded() async throws {
        let fixture = try TransferFixture()
        let body = try await Gzip.compress(SampleImages.jpeg(seed: 1, bytes: 100_000))
        let head = ScriptedAnswer.head(
            "HTTP/1.1 200 OK", "Content-Length: \(body.count + 1)", "Content-Encoding: gzip", "ETag: \"a\"")
        let failure = try await fixture.failure(of: ScriptedAnswer(.bytes(head + body.dropLast(100)), .close))
        #expect(failure.code == .truncated && failure.remains == nil)
    }

    @Test("A reset, a stall and the end of its time leave it too, and so does whoever gives up")
    func kinds() async throws {
        let tagged = ["ETag: \"a\""]
        let fixture = try TransferFixture { $0.stallTimeout = .seconds(1) }
        let reset = try await fixture.failure(of: Self.cut(tagged, then: .reset))
        #expect(reset.code == .connectionLost)
        // What had not been read when the reset came is gone.
        let expected = try Self.remains("\"a\"", of: fixture)
        if let remains = reset.remains { #expect(remains == expected) }
        let stalled = try await fixture.failure(of: Self.cut(tagged, then: .stall))
        #expect(stalled.code == .stalled && stalled.remains == expected)
        let slow = try TransferFixture { $0.pageTimeout = .seconds(1) }
        let late = try await slow.failure(of: Self.cut(tagged, then: .stall))
        #expect(try late.code == .timeout && late.remains == Self.remains("\"a\"", of: slow))

        let patient = try TransferFixture()
        patient.origin.script("/picture", Self.cut(tagged, then: .stall))
        let arrived = try Gate()
        let request = TransferRequest(
            url: try patient.url("/picture"), body: try patient.file(), whenProgressed: { _, _ in arrived.open() })
        let task = Task { await patient.loop.download(request) }
        #expect(await eventually { arrived.isOpen })
        task.cancel()
        guard case .failure(let cancelled) = await task.value else { throw TransferFixture.Unexpected() }
        #expect(try cancelled == .cancelled && cancelled.remains == Self.remains("\"a\"", of: patient))
    }

    @Test("What a redirect led to is told as of there")
    func redirected() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/moved?signed", Self.cut(["ETag: \"a\""]))
        let remains = try #require(await fixture.failure(of: .redirect(to: "/moved?signed")).remains)
        #expect(try remains.source == fixture.name("/moved?signed"))
    }

    @Test("What is no picture, or could not be written, leaves nothing")
    func useless() async throws {
        let fixture = try TransferFixture()
        let html = try await fixture.failure(of: .ok(Array("<html>no picture</html>".utf8), headers: ["ETag: \"a\""]))
        #expect(html.code == .notImage && html.remains == nil)
        fixture.origin.script("/picture", .ok(Self.picture, headers: ["ETag: \"a\""]))
        let full = try Directory.open("/dev").openFile("full", flags: O_WRONLY)
        guard case .failure(let failure) = try await fixture.fetch("/picture", into: full) else {
            throw TransferFixture.Unexpected()
        }
        #expect(failure.code == .noSpace && failure.remains == nil)
    }

    @Test("While it arrives, what could be kept is told at each further mebibyte; without a validator never")
    func keepable() async throws {
        let fixture = try TransferFixture()
        let picture = SampleImages.jpeg(seed: 1) + [UInt8](repeating: 0x55, count: 3_500_000)
        for headers in [["ETag: \"a\""], []] {
            fixture.origin.script("/picture", .ok(picture, headers: headers))
            let told = Locked<[Remains]>([])
            let request = TransferRequest(
                url: try fixture.url("/picture"), body: try fixture.file(),
                whenKeepable: { remains in told.withLock { $0.append(remains) } })
            _ = try await fixture.loop.download(request).get()
            let all = told.withLock { $0 }
            #expect(all.count == (headers.isEmpty ? 0 : 3))
            for (before, after) in zip([0] + all.map(\.bytes), all.map(\.bytes)) {
                #expect(after - before >= TransferRequest.keepInterval)
            }
            for remains in all {
                #expect(remains.content == ContentID.of(Array(picture.prefix(Int(remains.bytes)))))
                #expect(remains.validator == "\"a\"" && remains.total == Int64(picture.count))
            }
        }
    }

    @Test("nginx goes on where it stopped, over HTTP/1.1 and HTTP/2", arguments: [false, true])
    func nginx(isSecure: Bool) async throws {
        let nginx = try await NginxOrigin()
        let authority = try await TestAuthority.shared().certificateFile
        let fixture = try TransferFixture {
            $0.caFile = authority
            $0.stallTimeout = .milliseconds(500)
        }
        let picture = SampleImages.jpeg(seed: 1) + [UInt8](repeating: 0x55, count: 20_000_000)
        try nginx.serve(picture, at: "/large.jpg")
        let url = isSecure ? nginx.secureURL("/large.jpg") : nginx.url("/large.jpg")
        let file = try fixture.file()
        let request = TransferRequest(
            url: try fixture.url(url), body: file, whenKeepable: { _ in nginx.freeze() })
        guard case .failure(let failure) = await fixture.loop.download(request) else {
            throw TransferFixture.Unexpected()
        }
        nginx.resume()
        let remains = try #require(failure.remains)
        #expect(failure.code == .stalled && remains.total == Int64(picture.count))
        #expect(try ContentID.of(content(of: file)) == remains.content)
        let download = try await fixture.resume(url, file, validator: remains.validator, total: remains.total).get()
        #expect(download.content == ContentID.of(picture) && download.resumedFrom == remains.bytes)
        #expect(try content(of: file) == picture)
        #expect(fixture.loop.statistics.bytesReceived < Int64(picture.count) * 3 / 2)
        #expect(try await eventually { try nginx.requests().map(\.status).contains(206) })
    }
}
