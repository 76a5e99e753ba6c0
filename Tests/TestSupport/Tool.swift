import Glibc
import Platform

/// Programs of the system that a test needs.
package enum Tool {
    /// What went wrong with one.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a program to its end; throws where it fails.
    package static func run(_ path: String, _ arguments: [String]) async throws {
        let status = try await offPool { try wait(for: try spawn(path, arguments, input: nil)) }
        guard status == 0 else { throw Failure(description: "\(path) \(arguments) ended with \(status)") }
    }

    /// Runs what blocks on a thread of its own: the tests' tasks share a few threads.
    static func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try Thread(name: "tool") { continuation.resume(with: Result { try body() }) }.detach()
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Starts a program with `input` as its standard input, and output that goes nowhere.
    static func spawn(_ path: String, _ arguments: [String], input: Int32?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        // Threads of Swift's pool have all signals blocked, and a child would inherit that and never hear SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, &words, environ)
        guard code == 0 else { throw SystemError("posix_spawn", path: path, code: code) }
        return id
    }

    /// Blocks until a child has ended; returns its wait status, which is 0 where all went well.
    static func wait(for id: pid_t) throws -> Int32 {
        var status: Int32 = 0
        try checked("waitpid") { waitpid(id, &status, 0) }
        return status
    }
}
