import MediaCache
import Stories
import Testing

@testable import Daemon

@Suite("Whose containers are")
struct KnownOwnersTests {
    @Test("A container that cannot be opened any more is still its last known owners'")
    func remembered() throws {
        let (one, other) = (Container.provisioned(try #require(GroupID("one"))), Container.fallback(nil))
        var owners = KnownOwners()
        #expect(owners.groups(of: [one, other], found: [one: 7]) == [one: 7])
        #expect(owners.groups(of: [one, other], found: [other: 8]) == [one: 7, other: 8])
        #expect(owners.groups(of: [one], found: [:]) == [one: 7])
        #expect(owners.groups(of: [one], found: [one: 9]) == [one: 9])
        #expect(owners.groups(of: [], found: [:]) == [:])
    }
}
