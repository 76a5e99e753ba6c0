/// Why the client has no answer to give. The descriptions are for people.
package enum ControlClientError: Error, Equatable, CustomStringConvertible {
    /// Nobody answers at that socket, for that reason.
    case unreachable(socketPath: String, reason: String)
    /// The daemon answered that it would not.
    case refused(APIError)
    /// What answered does not speak as the daemon does.
    case unreadable(status: Int)

    package var description: String {
        switch self {
        case .unreachable(let path, let reason):
            "no daemon answers at \(path): \(reason)\n"
                + "Is storiesd running? Another socket is named with --socket PATH or STORIESD_SOCKET."
        case .refused(let error): error.message
        case .unreadable(let status): "an answer that is none of this program's API (HTTP status \(status))"
        }
    }
}
