import ControlAPI
import ControlServer
import Glibc
import Platform

/// What the peers of the socket may do: root, the daemon's own user and the configuration's `socket_writers` everything;
/// whoever may write to the inbox may hand stories in; others may read.
struct SocketPermissions {
    let writers: [UInt32]
    /// The inbox's path.
    let inbox: String

    func permits(_ access: Route.Access, to peer: Peer) -> Bool {
        switch access {
        case .read: true
        case .change: mayChange(peer)
        case .drop: mayChange(peer) || mayDrop(peer)
        }
    }

    /// Whether the peer may see a story of a container that belongs to `group`, whatever it may change.
    func maySee(_ group: UInt32?, _ peer: Peer) -> Bool {
        mayChange(peer) || group.map { peer.groups.contains($0) } == true
    }

    func mayChange(_ peer: Peer) -> Bool {
        peer.user == 0 || peer.user == getuid() || writers.contains(peer.user)
    }

    /// As the directory says, and those on the way to it.
    private func mayDrop(_ peer: Peer) -> Bool {
        func permits(_ path: Substring, _ rights: AccessControl.Rights) -> Bool {
            // What is gone or cannot be looked at takes nothing from anybody.
            guard let control = try? Directory.open(String(path)).descriptor.accessControl() else { return false }
            return control.permits(rights, user: peer.user, groups: peer.groups)
        }
        var above = inbox[...]
        while let slash = above.lastIndex(of: "/") {
            above = slash == above.startIndex ? "/" : above[..<slash]
            guard permits(above, .search) else { return false }
            if above == "/" { break }
        }
        return permits(inbox[...], [.write, .search])
    }
}
