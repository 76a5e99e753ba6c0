import ControlServer
import Glibc
import MediaCache
import Platform

/// Why the daemon cannot start: a place that it cannot do without.
struct StartFailure: Error, CustomStringConvertible {
    /// For an operator: what, why, and what to do about it.
    let description: String

    /// `key` is the configuration's name of the place.
    private init(_ key: String, _ reason: String) {
        description =
            "\(reason). \(key) must be a directory that the daemon's user (\(geteuid())) can make and write to: "
            + "mend this one, or set another"
    }

    init(inbox error: SystemError) {
        self.init("inbox", error.description)
    }

    init(
        socket error: ListeningSocketError, environment: [String: String] = Environment.current,
        user: UInt32 = geteuid()
    ) {
        guard case .noDirectory = error else {
            description = error.description
            return
        }
        // Without the variable the default lies in a directory that only a login makes.
        let variable = user != 0 && environment["XDG_RUNTIME_DIR"] == nil ? "set XDG_RUNTIME_DIR, or " : ""
        description =
            "\(error). Make it for the daemon's user (\(user)), or \(variable)choose another place with "
            + "--set socket=PATH"
    }

    init(stateDirectory failure: CacheFailure) {
        self.init("state_directory", failure.message)
    }
}
