import Foundation

/// Bodies as an origin that compresses sends them.
package enum Gzip {
    /// What gzip(1) makes of these bytes and of so many zeros after them.
    package static func compress(_ bytes: [UInt8], zeros: Int = 0) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        try FileBytes.put(bytes, at: directory.path("body"))
        let script = "(cat \"$0/body\"; head -c \(zeros) /dev/zero) | gzip -9 > \"$0/body.gz\""
        try await Tool.run("/bin/sh", ["-c", script, directory.path])
        return try FileBytes.read(directory.path("body.gz"))
    }
}
