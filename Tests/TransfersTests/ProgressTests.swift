import Addresses
import Platform
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

@Suite("How far a transfer has come", .timeLimit(.minutes(1)))
struct ProgressTests {
    /// What is told of a transfer whose origin sends a picture in pieces, waiting for the test before each but the first.
    private func told(_ head: [UInt8], _ pieces: [[UInt8]]) async throws -> [Told] {
        let fixture = try TransferFixture()
        let gates = try pieces.dropFirst().map { _ in try Gate() }
        var answer = ScriptedAnswer(.bytes(head + pieces[0]))
        for (gate, piece) in zip(gates, pieces.dropFirst()) { answer.steps += [.wait(gate), .bytes(piece)] }
        answer.steps.append(.close)
        fixture.origin.script("/picture", answer)
        let told = Locked<[Told]>([])
        let request = TransferRequest(
            url: try WebURL(fixture.origin.url("/picture")), body: try fixture.file(),
            whenProgressed: { bytes, total in
                let count = told.withLock { told in
                    told.append(Told(bytes: bytes, total: total, at: .now))
                    return told.count
                }
                if count <= gates.count { gates[count - 1].open() }
            })
        _ = try await fixture.loop.download(request).get()
        return told.withLock { $0 }
    }

    private struct Told: Sendable {
        let bytes: Int64
        let total: Int64?
        let at: SuspendingClock.Instant
    }

    private static let picture = SampleImages.jpeg(seed: 1) + [UInt8](repeating: 0x55, count: 50_000)
    private static let pieces = [
        Array(picture[..<10_000]), Array(picture[10_000..<20_000]), Array(picture[20_000...]),
    ]

    @Test("It is told in bytes, of those that are announced, and not too often")
    func announced() async throws {
        let length = Self.picture.count
        let told = try await told(ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(length)"), Self.pieces)
        #expect(told.prefix(2).map(\.bytes) == [10_000, 20_000])
        #expect(told.allSatisfy { $0.total == Int64(length) })
        for (earlier, later) in zip(told, told.dropFirst()) {
            #expect(later.at - earlier.at >= TransferRequest.progressInterval && later.bytes > earlier.bytes)
        }
    }

    @Test("Where no length is announced none is told")
    func unknown() async throws {
        let told = try await told(ScriptedAnswer.head("HTTP/1.1 200 OK", "Connection: close"), Self.pieces)
        #expect(told.count >= 2 && told.allSatisfy { $0.total == nil })
    }
}
