import Hashing
import ImageInspection
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// Bodies that came whole and are no picture that is wanted.
@Suite(.timeLimit(.minutes(1)))
struct PictureTests {
    @Test(arguments: ["text/html", "image/png"])
    func `HTML is no picture, whatever it is called`(type: String) async throws {
        let fixture = try TransferFixture()
        let page = Array("<!DOCTYPE html><html><body>Sign in</body></html>".utf8)
        let failure = try await fixture.failure(of: .ok(page, headers: ["Content-Type: \(type)"]))
        #expect(failure.code == .notImage)
    }

    @Test func `the type is what the bytes say`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script(
            "/p.jpg", .ok(SampleImages.png(width: 7, height: 5), headers: ["Content-Type: image/jpeg"]))
        let download = try await fixture.fetch("/p.jpg").get()
        #expect(download.header.type == .png)
        #expect(download.header.width == 7)
    }

    @Test func `three bytes are no picture`() async throws {
        let fixture = try TransferFixture()
        #expect(try await fixture.failure(of: .ok([0xff, 0xd8, 0xff])).code != .cancelled)
        #expect(try await fixture.failure(of: .ok(Array("abc".utf8))).code == .notImage)
    }

    @Test func `a video, and a type that players cannot show, are unsupported`() async throws {
        let fixture = try TransferFixture { $0.imageTypes = [.jpeg] }
        let video = [0, 0, 0, 0x18] + Array("ftypmp42".utf8) + [UInt8](repeating: 0, count: 200)
        #expect(try await fixture.failure(of: .ok(video)).code == .unsupportedType)
        #expect(try await fixture.failure(of: .ok(SampleImages.png())).code == .unsupportedType)
    }

    @Test func `what is missing is told in a sentence`() async throws {
        let fixture = try TransferFixture()
        let failure = try await fixture.failure(of: .ok(Array(SampleImages.jpeg().dropLast(2))))
        #expect(
            failure == TransferFailure(.incompleteImage, "The picture is incomplete: the JPEG ends before its EOI."))
    }

    @Test func `too many pixels are refused by the header alone`() async throws {
        let fixture = try TransferFixture()
        let picture = SampleImages.png()
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8)
        // 25,000 × 25,000, and 2^31 - 1 × 2^31 - 1.
        let sizes: [[UInt8]] = [
            [0, 0, 0x61, 0xa8, 0, 0, 0x61, 0xa8], [0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff],
        ]
        for size in sizes {
            let start = picture.prefix(16) + size + picture[24..<45]
            // No more comes, and nobody waits for it.
            let failure = try await fixture.failure(of: ScriptedAnswer(.bytes(head + start), .stall))
            #expect(failure.code == .tooManyPixels)
        }
    }

    @Test func `what follows a complete picture is accepted`() async throws {
        let fixture = try TransferFixture()
        let picture = SampleImages.jpeg() + Array("more".utf8)
        fixture.origin.script("/p", .ok(picture))
        #expect(try await fixture.fetch("/p").get().content == ContentID.of(picture))
    }
}
