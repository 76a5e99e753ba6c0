import Glibc
import Platform

/// A program that runs beside the test and ends with it: with the last reference, or with the test process, however
/// that ends. Its output goes nowhere.
final class ChildProcess {
    private let id: pid_t
    /// Closed when we let go, or are gone: the child's sign to end.
    private var leash: Descriptor?

    init(_ path: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        try checked("pipe") { pipe(&ends) }
        let input = Descriptor(owning: ends[0])
        let leash = Descriptor(owning: ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let script = #""$@" </dev/null & child=$!; read -r _; kill "$child"; wait "$child""#
        id = try Tool.spawn("/bin/sh", ["-c", script, "sh", path] + arguments, input: input.raw)
        self.leash = leash
    }

    deinit {
        leash = nil
        _ = try? Tool.wait(for: id)
    }
}
