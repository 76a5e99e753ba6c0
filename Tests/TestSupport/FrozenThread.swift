import Foundation
package import Glibc

/// A thread of another process that stands still while this lives, and the others go on: ptrace(2), by Python, since
/// Swift cannot call it.
package final class FrozenThread: Sendable {
    private static let script = """
        import ctypes, os, signal, sys
        ptrace = ctypes.CDLL(None, use_errno=True).ptrace
        ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        ptrace.restype = ctypes.c_long
        threads = f"/proc/{sys.argv[1]}/task"
        thread = next(int(t) for t in os.listdir(threads) if open(f"{threads}/{t}/comm").read().strip() == sys.argv[2])
        for request in (0x4206, 0x4207):  # PTRACE_SEIZE, PTRACE_INTERRUPT
            if ptrace(request, thread, None, None):
                sys.exit(os.strerror(ctypes.get_errno()))
        os.waitpid(thread, 0x40000000)  # __WALL
        print("stopped", flush=True)
        signal.pause()
        """

    // Its end lets the thread go on.
    private let tracer: RunningProgram

    /// Returns when the thread of that name stands still.
    package init(_ name: String, of processID: pid_t) async throws {
        let tracer = try RunningProgram("/usr/bin/python3", ["-c", Self.script, "\(processID)", name])
        _ = await eventually { !tracer.output.isEmpty || tracer.end != nil }
        guard !tracer.output.isEmpty else {
            throw Tool.Failure(description: "thread \(name) cannot be stopped: \(tracer.errors)")
        }
        self.tracer = tracer
    }

    /// Whether the system lets a program stop another's thread that is not its child: ptrace_scope of Yama.
    package static var isPossible: Bool {
        // Without Yama there is no such file, and nothing is forbidden.
        let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
        return scope?.hasPrefix("0") != false || geteuid() == 0 && scope?.hasPrefix("3") != true
    }
}
