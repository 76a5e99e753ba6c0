import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct AccessControlTests {
    private func list(_ entries: [(tag: UInt16, rights: UInt16, id: UInt32)]) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
        return bytes(UInt32(2)) + entries.flatMap { bytes($0.tag) + bytes($0.rights) + bytes($0.id) }
    }

    @Test func `without a list the mode tells, and the first that fits decides`() {
        let control = AccessControl(owner: 1, group: 10, mode: 0o3735, list: nil)
        #expect(control.permits([.read, .write, .search], user: 1, groups: []))
        #expect(control.permits([.write, .search], user: 2, groups: [10]))
        #expect(!control.permits(.read, user: 2, groups: [10]))
        #expect(control.permits([.read, .search], user: 3, groups: [11]))
        #expect(!control.permits(.write, user: 3, groups: []))
        let closed = AccessControl(owner: 1, group: 10, mode: 0o077, list: nil)
        #expect(!closed.permits(.read, user: 1, groups: [10]), "the owner is judged as the owner")
        let group = AccessControl(owner: 1, group: 10, mode: 0o707, list: nil)
        #expect(!group.permits(.read, user: 2, groups: [10]), "a member is judged as a member")
    }

    @Test func `named users and groups are let in as far as the mask goes`() {
        let control = AccessControl(
            owner: 1, group: 10, mode: 0o770,
            list: list([
                (0x01, 7, .max), (0x02, 7, 5), (0x02, 0, 6), (0x04, 5, .max), (0x08, 7, 20), (0x10, 3, .max),
                (0x20, 0, .max),
            ]))
        #expect(control.permits([.write, .search], user: 5, groups: []))
        #expect(!control.permits(.read, user: 5, groups: []), "the mask takes it")
        #expect(!control.permits(.search, user: 6, groups: [20]), "a named user is judged as such")
        #expect(control.permits([.write, .search], user: 7, groups: [20, 10]))
        #expect(!control.permits([.write, .search], user: 7, groups: [10]))
        #expect(!control.permits(.search, user: 7, groups: [30]))
        #expect(control.permits([.read, .write, .search], user: 1, groups: []), "the mask is not for the owner")
    }

    @Test(arguments: [[], [2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0, 1]] as [[UInt8]])
    func `a list that is none is passed over`(list: [UInt8]) {
        let control = AccessControl(owner: 1, group: 10, mode: 0o640, list: list)
        #expect(control.permits(.read, user: 2, groups: [10]) && !control.permits(.read, user: 2, groups: []))
    }

    @Test func `a file's own mode and list are read`() throws {
        let directory = try TemporaryDirectory()
        let inbox = try Directory.make(directory.path("inbox"), mode: 0o700)
        #expect(chmod(inbox.path, 0o770) == 0)
        let control = try inbox.descriptor.accessControl()
        let status = try inbox.descriptor.status()
        #expect(control.permits([.write, .search], user: status.owner, groups: []))
        #expect(control.permits([.write, .search], user: 12_345, groups: [status.group]))
        #expect(!control.permits(.search, user: 12_345, groups: []))
    }
}
