import CLinux
import Glibc
package import Platform

/// A Unix socket that listens at a path which this process made. Removed from there by `remove`, closed when the last
/// reference to its descriptor goes.
package final class ListeningSocket: Sendable {
    package let path: String
    package let descriptor: Descriptor
    private let directory: Directory
    private let name: String
    private let status: FileStatus?

    /// The directory is made (0750) where it is missing. A socket that nobody listens at any more is replaced; a live
    /// one, and whatever is no socket, is left alone and refused. Owner and group may connect (0660).
    package init(path: String) throws(ListeningSocketError) {
        guard let address = SocketAddress(path: path), let slash = path.lastIndex(of: "/") else {
            throw .pathTooLong(path: path)
        }
        let name = String(path[path.index(after: slash)...])
        let directory: Directory
        let descriptor: Descriptor
        do throws(SystemError) {
            directory = try Directory.make(slash == path.startIndex ? "/" : String(path[..<slash]), mode: 0o750)
            descriptor = try Self.makeSocket(path: path)
        } catch {
            throw .system(error)
        }
        try Self.makeRoom(at: address, name, in: directory, path: path)
        do throws(SystemError) {
            // Before it has a name, so that it never has a wider mode than it should (the inode takes the
            // descriptor's mode, less the umask), and after, so that the umask takes nothing away.
            try checked("fchmod", path: path) { fchmod(descriptor.raw, 0o660) }
            try checked("bind", path: path) { address.bind(descriptor.raw) }
            try checked("chmod", path: path) { fchmodat(directory.descriptor.raw, name, 0o660, 0) }
            status = try directory.status(of: name)
            try checked("listen", path: path) { listen(descriptor.raw, SOMAXCONN) }
        } catch {
            throw error.code == EADDRINUSE ? .inUse(path: path) : .system(error)
        }
        self.path = path
        self.name = name
        self.directory = directory
        self.descriptor = descriptor
    }

    /// Removes the socket's name, unless another has taken its place.
    package func remove() throws(SystemError) {
        let found = try directory.status(of: name)
        guard let found, found.inode == status?.inode, found.device == status?.device else { return }
        try directory.remove(name)
    }

    private static func makeSocket(path: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checked("socket", path: path) { clinux_unix_socket() }, path: path)
    }

    /// Takes a dead socket out of the way; throws where anything else is there.
    private static func makeRoom(
        at address: SocketAddress, _ name: String, in directory: Directory, path: String
    ) throws(ListeningSocketError) {
        var found = stat()
        guard fstatat(directory.descriptor.raw, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        guard found.st_mode & S_IFMT == S_IFSOCK else { throw .occupied(path: path) }
        do throws(SystemError) {
            let probe = try makeSocket(path: path)
            try checked("connect", path: path) { address.connect(probe.raw) }
        } catch {
            switch error.code {
            case ECONNREFUSED:
                return try removeDeadSocket(name, in: directory)
            // Its queue is full.
            case EAGAIN: throw .inUse(path: path)
            // A socket of another type: none that a daemon of ours left.
            case EPROTOTYPE: throw .occupied(path: path)
            default: throw .system(error)
            }
        }
        throw .inUse(path: path)
    }

    private static func removeDeadSocket(_ name: String, in directory: Directory) throws(ListeningSocketError) {
        do throws(SystemError) {
            try directory.remove(name)
        } catch {
            throw .system(error)
        }
    }
}
