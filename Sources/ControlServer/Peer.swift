import CLinux
import Glibc
import Platform

/// Who is at the other end of a connection, as the kernel knew it when it connected, unix(7).
package struct Peer: Sendable, Equatable {
    package let user: UInt32
    /// Its group and its supplementary groups.
    package let groups: Set<UInt32>

    package init(user: UInt32, groups: Set<UInt32>) {
        self.user = user
        self.groups = groups
    }

    /// The peer of a connected Unix socket.
    init(of socket: Int32) throws(SystemError) {
        var (user, group) = (UInt32(0), UInt32(0))
        try checked("getsockopt SO_PEERCRED") { clinux_peer(socket, &user, &group) }
        var others = [UInt32](repeating: 0, count: 64)
        let bytes: Int
        do throws(SystemError) {
            bytes = try Self.groups(of: socket, &others)
        } catch {
            guard error.code == ERANGE else { throw error }
            // NGROUPS_MAX, getgroups(2).
            others = [UInt32](repeating: 0, count: 65_536)
            bytes = try Self.groups(of: socket, &others)
        }
        self.init(user: user, groups: Set(others.prefix(bytes / MemoryLayout<UInt32>.size)).union([group]))
    }

    /// Answers how many bytes there are; fails with `ERANGE` where they are more.
    private static func groups(of socket: Int32, _ groups: inout [UInt32]) throws(SystemError) -> Int {
        let size = UInt32(groups.count * MemoryLayout<UInt32>.size)
        return try checked("getsockopt SO_PEERGROUPS") { clinux_peer_groups(socket, &groups, size) }
    }
}
