import CLinux
import Glibc
package import Platform

/// A Unix socket that listens, at a path which this process made or which the service manager holds. Closed when the
/// last reference to its descriptor goes.
package final class ListeningSocket: Sendable {
    package let path: String
    package let descriptor: Descriptor
    /// Nil where it is the service manager's.
    private let place: Place?

    /// Where this process has made it.
    private struct Place {
        let directory: Directory
        let name: String
        let status: FileStatus?
    }

    /// Takes the one that the service manager has passed: it and its path stay the manager's, as they are. Refuses
    /// what is no Unix stream socket that listens, and more than one.
    package init(passed: [Descriptor]) throws(ListeningSocketError) {
        guard passed.count == 1 else { throw .unfitPassed("\(passed.count) descriptors") }
        let descriptor = passed[0]
        guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            Self.option(SO_TYPE, of: descriptor) == clinux_stream()
        else { throw .unfitPassed("a descriptor that is no Unix stream socket") }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw .unfitPassed("a socket that does not listen")
        }
        do throws(SystemError) {
            // The manager passes it blocking, and others may take a connection before us.
            let flags = try checked("fcntl", path: descriptor.path) { fcntl(descriptor.raw, F_GETFL) }
            try checked("fcntl", path: descriptor.path) { fcntl(descriptor.raw, F_SETFL, flags | O_NONBLOCK) }
        } catch {
            throw .system(error)
        }
        self.descriptor = descriptor
        path = SocketAddress(of: descriptor.raw)?.path ?? "an address without a path"
        place = nil
    }

    /// A number that getsockopt(2) tells; nil where that is no socket.
    private static func option(_ name: Int32, of descriptor: Descriptor) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor.raw, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

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
        } catch {
            throw .noDirectory(path: path, error)
        }
        do throws(SystemError) { descriptor = try Self.makeSocket(path: path) } catch { throw .system(error) }
        try Self.makeRoom(at: address, name, in: directory, path: path)
        do throws(SystemError) {
            // Before it has a name, so that it never has a wider mode than it should (the inode takes the
            // descriptor's mode, less the umask), and after, so that the umask takes nothing away.
            try checked("fchmod", path: path) { fchmod(descriptor.raw, 0o660) }
            try checked("bind", path: path) { address.bind(descriptor.raw) }
            try checked("chmod", path: path) { fchmodat(directory.descriptor.raw, name, 0o660, 0) }
            place = Place(directory: directory, name: name, status: try directory.status(of: name))
            try checked("listen", path: path) { listen(descriptor.raw, SOMAXCONN) }
        } catch {
            throw error.code == EADDRINUSE ? .inUse(path: path) : .system(error)
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Removes the socket's name, unless another has taken its place, or it is not this process's.
    package func remove() throws(SystemError) {
        guard let place, let found = try place.directory.status(of: place.name) else { return }
        guard found.inode == place.status?.inode, found.device == place.status?.device else { return }
        try place.directory.remove(place.name)
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
