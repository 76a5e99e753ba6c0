import Foundation
import Glibc
import Hashing
import Platform
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// Bodies that come compressed although nobody asked for it.
@Suite(.timeLimit(.minutes(1)))
struct EncodingTests {
    private let picture = SampleImages.jpeg(seed: 6, bytes: 20_000)
    private let gzip = ["Content-Encoding: gzip"]

    @Test func `a compressed picture is stored as the picture it is`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/p", .ok(try await compressed(picture), headers: gzip))
        let file = try fixture.file()
        let download = try await fixture.fetch("/p", into: file).get()
        #expect(try content(of: file) == picture)
        #expect(download.content == ContentID.of(picture))
        #expect(download.bytes == 20_000)
        #expect(download.response.contentEncoding == "gzip")
    }

    @Test func `a stream that is damaged, cut or of an unknown kind is encoding`() async throws {
        let fixture = try TransferFixture()
        var damaged = try await compressed(picture)
        for index in 20..<60 { damaged[index] ^= 0x55 }
        #expect(try await fixture.failure(of: .ok(damaged, headers: gzip)).code == .encoding)
        let cut = Array(try await compressed(picture).prefix(100))
        #expect(try await fixture.failure(of: .ok(cut, headers: gzip)).code == .encoding)
        #expect(try await fixture.failure(of: .ok(picture, headers: gzip)).code == .encoding)
        #expect(try await fixture.failure(of: .ok(picture, headers: ["Content-Encoding: zpaq"])).code == .encoding)
    }

    @Test func `bytes after the end of the stream are encoding, and will not pass`() async throws {
        let fixture = try TransferFixture()
        let whole = try await compressed(picture)
        for extra in [Array("more".utf8), whole] {
            let failure = try await fixture.failure(of: .ok(whole + extra, headers: gzip))
            #expect(failure.code == .encoding)
            #expect(!failure.mayPass)
        }
    }

    @Test func `200 KB that become 200 MB are too large at the limit, and memory stays flat`() async throws {
        let fixture = try TransferFixture()
        let bomb = try await compressed(
            SampleImages.jpeg(bytes: 2000).dropLast(2), zeros: 200_000_000)
        #expect(bomb.count < 250_000)
        let before = residentBytes()
        let failure = try await fixture.failure(of: .ok(bomb, headers: gzip))
        #expect(failure.code == .tooLarge)
        // Other tests of this process take memory meanwhile; what the bomb holds would be twice as much.
        #expect(residentBytes() - before < 100_000_000)
    }

    @Test func `a stream that is endless and holds nothing is too large`() async throws {
        let fixture = try TransferFixture { $0.imageBytes = 500_000 }
        // A gzip head, then empty stored blocks: bytes that decode to none.
        let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        let start: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
        let blocks = Array([[UInt8]](repeating: [0, 0, 0, 0xff, 0xff], count: 2000).joined())
        let failure = try await fixture.failure(of: ScriptedAnswer(.bytes(head + start), .endless(blocks)))
        #expect(failure.code == .tooLarge)
        // libcurl may read a hundred times before it lets anyone look.
        #expect(fixture.loop.statistics.bytesReceived < 20_000_000)
    }

    /// What `gzip` makes of these bytes and zeros after them.
    private func compressed(_ bytes: [UInt8], zeros: Int = 0) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        try Data(bytes).write(to: URL(fileURLWithPath: directory.path("body")))
        let script =
            "(cat '\(directory.path)/body'; head -c \(zeros) /dev/zero) | gzip -9 > '\(directory.path)/body.gz'"
        try await Tool.run("/bin/sh", ["-c", script])
        return Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("body.gz"))))
    }

    private func residentBytes() -> Int {
        // The second number of /proc/self/statm is the resident pages; where it cannot be read the test proves less.
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
    }
}
