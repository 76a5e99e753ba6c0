import Stories
import TestOrigins
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(1)))
struct SignOfLifeTests {
    @Test func `the loop answers with transfers under way, and keeps nobody waiting when it ends`() async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/never", ScriptedAnswer(.stall))
        async let failure = fixture.failure("/never")
        await fixture.loop.ping()
        let loop = fixture.loop
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await loop.ping() } }
            group.addTask { await loop.stop() }
        }
        await loop.ping()
        #expect(try await failure.code == .cancelled)
    }
}
