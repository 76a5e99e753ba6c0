import ControlAPI
import ControlServer
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct SocketPermissionsTests {
    private func permissions(_ inbox: String) -> SocketPermissions { SocketPermissions(writers: [7], inbox: inbox) }

    @Test func `root, the daemon's own user and the writers may change things`() {
        for user in [0, getuid(), 7] {
            #expect(permissions("/nowhere").permits(.change, to: Peer(user: user, groups: [])))
        }
        #expect(!permissions("/nowhere").permits(.change, to: Peer(user: 12_345, groups: [0])))
        #expect(permissions("/nowhere").permits(.read, to: Peer(user: 12_345, groups: [])))
    }

    @Test func `whoever reaches the inbox and may write there may hand in stories`() throws {
        let directory = try TemporaryDirectory()
        let (way, inbox) = (directory.path("way"), directory.path("way/inbox"))
        #expect(chmod(directory.path, 0o755) == 0 && mkdir(way, 0o755) == 0 && mkdir(inbox, 0o777) == 0)
        #expect(chmod(inbox, 0o777) == 0)
        let stranger = Peer(user: 12_345, groups: [54_321])
        #expect(permissions(inbox).permits(.drop, to: stranger))
        #expect(chmod(inbox, 0o755) == 0)
        #expect(!permissions(inbox).permits(.drop, to: stranger))
        #expect(chmod(inbox, 0o777) == 0 && chmod(way, 0o700) == 0)
        #expect(!permissions(inbox).permits(.drop, to: stranger), "it cannot get there")
        #expect(!permissions(directory.path("gone")).permits(.drop, to: stranger))
    }
}
