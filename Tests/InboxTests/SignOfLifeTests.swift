import Foundation
import TestSupport
import Testing

@testable import Inbox

@Suite(.timeLimit(.minutes(1)))
struct SignOfLifeTests {
    @Test("the inbox answers while it runs, and whoever asks before or after is not kept waiting")
    func ping() async throws {
        let place = try InboxPlace()
        await place.inbox.ping()
        try await place.start()
        await place.inbox.ping()
        let inbox = place.inbox
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await inbox.ping() } }
            group.addTask { await inbox.stop() }
        }
        await inbox.ping()
    }

    @Test("an inbox that could not be opened keeps nobody waiting either")
    func failed() async throws {
        let place = try InboxPlace { $0.path = "/proc/none" }
        let inbox = place.inbox
        async let ping: Void = inbox.ping()
        await #expect(throws: (any Error).self) { try await inbox.start() }
        await ping
        await inbox.ping()
    }

    @Test("what waits is known when the start is over")
    func stock() async throws {
        let place = try InboxPlace {
            $0.maximumClaims = 2
        } prepare: { path in
            try FileManager.default.createDirectory(atPath: "\(path)/.claimed", withIntermediateDirectories: true)
            for number in 0..<300 { try Data("{}".utf8).write(to: URL(filePath: "\(path)/\(number).json")) }
        }
        try await place.start()
        #expect(place.inbox.statistics.pending == 300)
    }
}
