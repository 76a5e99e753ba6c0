import TestSupport
import Testing

@testable import Inbox

@Suite(.enabled(if: SmallDisk.isAllowed, "nothing may be mounted here"), .timeLimit(.minutes(1)))
struct ReadOnlyTests {
    @Test func `an answered payload that cannot be removed is told, comes again, and goes when it can`() async throws {
        let directory = try TemporaryDirectory()
        let disk = try SmallDisk(options: "size=1m", at: directory.path, of: directory)
        let place = try InboxPlace(directory)
        try await place.start()
        let inbox = place.inbox
        try place.drop("a.json", "{}")
        let claim = try await place.next()
        try disk.remount("ro")
        inbox.accept(claim)
        #expect(await eventually { inbox.problems.map(\.code) == [.unwritable] })
        #expect(inbox.problems.first?.message.contains("Read-only file system") == true)
        try disk.remount("rw")
        inbox.rescan()
        let again = try await place.next()
        #expect(again.payloadName == claim.payloadName && again.bytes == claim.bytes)
        inbox.accept(again)
        #expect(await eventually { inbox.problems == [] })
        #expect(try place.names(".claimed") == [])
        await inbox.stop()
    }
}
