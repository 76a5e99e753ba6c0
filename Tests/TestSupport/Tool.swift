/// Programs of the system that a test needs.
package enum Tool {
    /// What went wrong with one.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a program to its end; throws where it fails.
    package static func run(_ path: String, _ arguments: [String]) async throws {
        let program = try await RunningProgram.run(path, arguments)
        guard let end = program.end, end != .exited(0) else { return }
        throw Failure(description: "\(path) \(arguments): \(end)\n\(program.errors)")
    }
}
