extension Configuration {
    /// The longest path of a socket: `sun_path` has 108 bytes, one for the NUL, unix(7).
    private static let longestSocketPath = 107

    /// What is wrong although each value by itself is legal.
    func inconsistencies() -> [ConfigurationProblem] {
        missingDirectories() + equalDirectories() + directoriesAmongGroups() + socketProblem()
    }

    /// The directories by key; all of them hold other people's names or the daemon's own.
    private var directories: [(key: String, path: String)] {
        [
            ("inbox", inbox), ("app_groups_root", appGroupsRoot), ("fallback_directory", fallbackDirectory),
            ("state_directory", stateDirectory),
        ]
    }

    private func missingDirectories() -> [ConfigurationProblem] {
        directories.filter(\.path.isEmpty).map { key, _ in
            ConfigurationProblem(
                key: key, "has no default, since HOME is not set to an absolute path; set HOME or this key")
        }
    }

    private func equalDirectories() -> [ConfigurationProblem] {
        let directories = directories.filter { !$0.path.isEmpty }
        return directories.enumerated().flatMap { place, first in
            directories.dropFirst(place + 1).filter { $0.path == first.path }.map { second in
                ConfigurationProblem(
                    key: second.key, "must be another directory than \(first.key); both are \(first.path)")
            }
        }
    }

    /// Every folder in the inbox, in the root of the groups or among the fallback containers is taken for a group's.
    private func directoriesAmongGroups() -> [ConfigurationProblem] {
        directories.filter { $0.key != "state_directory" && !$0.path.isEmpty }.flatMap { outer in
            directories.filter { Self.isInside($0.path, outer.path) }.map { inner in
                ConfigurationProblem(
                    key: inner.key,
                    "must not lie in \(outer.key), whose folders are taken for groups; "
                        + "\(inner.path) is in \(outer.path)")
            }
        }
    }

    private static func isInside(_ path: String, _ directory: String) -> Bool {
        path != directory && path.hasPrefix(directory == "/" ? "/" : "\(directory)/")
    }

    private func socketProblem() -> [ConfigurationProblem] {
        let length = socket.utf8.count
        guard length > Self.longestSocketPath else { return [] }
        return [
            ConfigurationProblem(
                key: "socket", "must be a path of at most \(Self.longestSocketPath) bytes; \(socket) has \(length)")
        ]
    }
}
