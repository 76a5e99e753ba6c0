import Glibc
import Platform
import TestSupport

/// Files of others beside the daemon's, which it must not touch.
struct ForeignFiles: Sendable {
    private let paths: [String]
    private let statuses: [FileStatus]
    private static let bytes = Array("not the daemon's\n".utf8)

    /// Puts them there, with a mode that none of the daemon's has.
    init(in place: DaemonPlace) throws {
        paths = [
            place.path("notes.txt"), "\(place.inbox)/notes.txt", "\(place.groups)/notes.txt",
            "\(place.groups)/shop/notes.txt",
        ]
        for path in paths {
            try FileBytes.put(Self.bytes, at: path)
            guard chmod(path, 0o604) == 0 else { throw SystemError("chmod", path: path) }
        }
        statuses = try paths.map(place.status)
    }

    /// What has changed about them: their bytes, their mode, their time.
    func findings(in place: DaemonPlace) -> [String] {
        zip(paths, statuses).compactMap { path, before in
            guard let now = try? place.status(path), now == before, (try? FileBytes.read(path)) == Self.bytes else {
                return "\(path) was touched"
            }
            return nil
        }
    }
}
