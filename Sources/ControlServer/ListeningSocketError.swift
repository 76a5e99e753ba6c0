package import Platform

/// Why a Unix socket could not be made to listen. The descriptions name the path and the remedy.
package enum ListeningSocketError: Error, Equatable, CustomStringConvertible {
    /// The kernel takes at most 107 bytes, unix(7).
    case pathTooLong(path: String)
    /// Another process listens there.
    case inUse(path: String)
    /// Something that is no socket of this kind is there, and stays.
    case occupied(path: String)
    /// Its directory is not there and could not be made, or may not be entered.
    case noDirectory(path: String, SystemError)
    /// The service manager has passed something else than one Unix stream socket that listens.
    case unfitPassed(String)
    case system(SystemError)

    package var description: String {
        switch self {
        case .pathTooLong(let path):
            "socket \(path): the path has \(path.utf8.count) bytes, \(SocketAddress.longestPath) is the most; "
                + "choose a shorter one"
        case .inUse(let path): "socket \(path): another process listens there; stop it or choose another path"
        case .occupied(let path): "socket \(path): something else is there; move it away or choose another path"
        case .noDirectory(let path, let error): "socket \(path): its directory cannot be had: \(error)"
        case .unfitPassed(let what):
            "socket activation: \(what) came from the service manager where one Unix stream socket that listens is "
                + "taken; mend the socket unit (one ListenStream= with a path)"
        case .system(let error): error.description
        }
    }
}
