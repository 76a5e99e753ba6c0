import Stories
import Testing

@testable import Transfers

/// What libcurl is asked and does not do.
struct MultiHandleTests {
    @Test func `a transfer that libcurl does not take is io, in libcurl's words`() throws {
        let multi = try #require(MultiHandle())
        let easy = try #require(EasyHandle())
        try multi.add(easy)
        defer { multi.remove(easy) }
        let failure = #expect(throws: TransferFailure.self) { try multi.add(easy) }
        #expect(failure?.code == .io)
        #expect(failure?.mayPass == true)
        #expect(failure?.message.contains("already added") == true)
    }
}
