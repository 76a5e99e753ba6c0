import Foundation
package import Glibc
package import Platform
import TestOrigins

/// A program as a process of its own: it reads nothing, and what it writes goes to files. Killed with the last
/// reference, or with the test process, however that ends. Safe to use from any thread.
package final class RunningProgram: Sendable {
    /// How a process has ended.
    package enum End: Equatable, Sendable {
        case exited(Int32)
        case killed(by: Int32)
    }

    package let processID: pid_t
    private let name: String
    private let directory: TemporaryDirectory
    private let reaped: Locked<End?>
    /// Opens when it has ended.
    private let ended: Gate

    /// Starts the program at `path`; `environment` is added to that of the tests. The descriptors become its own, from
    /// number 3 on.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], descriptors: [Descriptor] = []
    ) throws {
        name = path
        directory = try TemporaryDirectory()
        let outputs = [directory.path("output"), directory.path("errors")]
        let (started, reaped) = (Locked(Result<pid_t, any Error>.success(0)), Locked<End?>(nil))
        let (begun, ended) = (try Gate(), try Gate())
        // The kernel kills the program when the thread that started it ends, prctl(2): so it lives as long.
        try Thread(name: "program") {
            let result = Result {
                try Self.spawn(
                    ["/usr/bin/setpriv", "--pdeathsig", "KILL", path] + arguments, environment, outputs, descriptors)
            }
            started.withLock { $0 = result }
            begun.open()
            if case .success(let processID) = result { Self.reap(processID, reaped) }
            ended.open()
        }.detach()
        begun.waitUntilOpen()
        processID = try started.withLock { $0 }.get()
        self.reaped = reaped
        self.ended = ended
    }

    deinit {
        send(signal: SIGKILL)
        // Nothing is written any more into directories that are about to go.
        ended.waitUntilOpen()
    }

    /// The program of that name which this package has built: it lies beside the one that runs the tests.
    package static func built(_ name: String) throws -> String {
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let path = tests.deletingLastPathComponent().appending(path: name).path
        guard access(path, X_OK) == 0 else { throw SystemError("access", path: path) }
        return path
    }

    /// Runs a program to its end, which must come within half a minute.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> RunningProgram {
        let program = try RunningProgram(path, arguments, environment: environment)
        _ = try await program.waitForEnd()
        return program
    }

    /// How it has ended; nil while it runs.
    package var end: End? { reaped.withLock { $0 } }

    /// Waits for its end. Throws where it runs on.
    package func waitForEnd(within time: Duration = .seconds(30)) async throws -> End {
        _ = await eventually(within: time) { self.end != nil }
        guard let end else { throw Tool.Failure(description: "\(name) still runs after \(time)\n\(errors)") }
        return end
    }

    /// Sends a signal, unless it has ended: the number may be another's by now.
    package func send(signal: Int32) {
        reaped.withLock { end in
            if end == nil { _ = kill(processID, signal) }
        }
    }

    /// Waits until it stands still. What has ended stands still as well.
    package func waitUntilStopped() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WSTOPPED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// What it has written to standard output so far.
    package var output: [UInt8] { contents("output") }

    /// What it has written to standard error so far.
    package var errors: String { String(decoding: contents("errors"), as: UTF8.self) }

    private func contents(_ name: String) -> [UInt8] {
        // Both files are made when the program starts; what cannot be read is shown as nothing.
        (try? FileBytes.read(directory.path(name))) ?? []
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String], _ outputs: [String], _ descriptors: [Descriptor]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (descriptor, path) in zip([STDOUT_FILENO, STDERR_FILENO], outputs) {
            posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // First out of the way of each other, then to their numbers.
        let spare = try descriptors.map { given in
            Descriptor(owning: try checked("fcntl") { fcntl(given.raw, F_DUPFD_CLOEXEC, 100) })
        }
        for (number, descriptor) in spare.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor.raw, Int32(3 + number))
        }
        // Threads of Swift's pool have all signals blocked, and a child would inherit that and never hear SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = Environment.current.merging(environment) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + settings).forEach { free($0) } }
        var processID = pid_t()
        defer { withExtendedLifetime(spare) {} }
        let code = posix_spawn(&processID, words[0], &actions, &attributes, &arguments, &settings)
        guard code == 0 else { throw SystemError("posix_spawn", path: words[0], code: code) }
        return processID
    }

    /// Blocks until the process has ended, and says how.
    private static func reap(_ processID: pid_t, _ reaped: Locked<End?>) {
        var information = siginfo_t()
        // Until it is reaped, below, its number is nobody else's.
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        reaped.withLock { end in
            var status: Int32 = 0
            waitpid(processID, &status, 0)
            // The macros of wait(2) are no functions that Swift could see.
            end = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(by: status & 0x7f)
        }
    }
}
