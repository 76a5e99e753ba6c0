import Glibc

/// Prometheus' own judge of metrics: whether it can read them, and whether their names keep to the conventions.
package enum Promtool {
    private static let path = "/usr/bin/promtool"

    /// Throws, with what it says, where it finds anything.
    package static func check(_ text: [UInt8]) async throws {
        guard access(path, X_OK) == 0 else {
            throw Tool.Failure(description: "promtool must be installed: Debian has it in the package prometheus")
        }
        let directory = try TemporaryDirectory()
        try FileBytes.put(text, at: directory.path("metrics"))
        let shell = "\(path) check metrics < \"$0\" 2>&1"
        let program = try await RunningProgram.run("/bin/sh", ["-c", shell, directory.path("metrics")])
        let said = String(decoding: program.output, as: UTF8.self)
        guard program.end == .exited(0), said.isEmpty else {
            throw Tool.Failure(description: "promtool: \(program.end.map { "\($0)" } ?? "no end") \(said)")
        }
    }
}
