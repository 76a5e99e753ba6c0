import Foundation
import Glibc
import JSON
import Platform
import Stories
import TestSupport
import Testing

@testable import Inbox

/// The inbox with real files and the kernel's own events.
@Suite(.timeLimit(.minutes(1)))
struct InboxTests {
    @Test("a file renamed into the inbox becomes a claim, and is gone once accepted")
    func renamed() async throws {
        let place = try InboxPlace()
        try place.start()
        try place.drop("a.json", #"{"a":1}"#)
        let claim = try await place.next()
        #expect(claim.payloadName == "a.json")
        #expect(claim.group == nil)
        #expect(claim.bytes == Array(#"{"a":1}"#.utf8))
        #expect(try place.names(".claimed") == [claim.name])
        place.inbox.accept(claim)
        await place.inbox.stop()
        #expect(try place.names(".claimed") == [])
        #expect(try place.names("") == [".claimed", ".rejected"])
        #expect(place.inbox.statistics == InboxStatistics(pending: 0, accepted: 1))
    }
}
