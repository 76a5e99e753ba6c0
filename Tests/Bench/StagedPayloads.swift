import Foundation
import Glibc
import Platform
import TestSupport

/// Payloads that are written already, beside the inbox: to drop them costs a rename each, so that what is measured
/// begins with the daemon's work.
struct StagedPayloads {
    private let place: DaemonPlace
    private let folder: String
    private let names: [String]

    /// Writes the payloads of these stories, each under its name with `prefix` before it.
    init(_ load: StoryLoad, stories: Range<Int>, prefix: String = "", in place: DaemonPlace) throws {
        self.place = place
        folder = place.path("staged")
        names = stories.map { "\(prefix)\(load.id($0)).json" }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (story, name) in zip(stories, names) {
            try FileBytes.put(load.payload(story, id: prefix + load.id(story)), at: "\(folder)/\(name)")
        }
        // What earlier rounds have written and removed is not to be paid for by this one.
        sync()
    }

    /// Drops them, one after the other.
    func drop() throws {
        for name in names {
            guard rename("\(folder)/\(name)", "\(place.inbox)/\(name)") == 0 else {
                throw SystemError("rename", path: name)
            }
        }
    }
}
