import Glibc
import TestSupport

/// The processor time of a process, or of several, in seconds.
struct ProcessorTime {
    let user: Double
    let system: Double

    /// What that process has used so far, proc_pid_stat(5).
    static func used(byProcess id: Int) throws -> ProcessorTime {
        let text = String(decoding: try FileBytes.read("/proc/\(id)/stat"), as: UTF8.self)
        // The name of the program, in parentheses, may hold anything; behind it come the third field and all others.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
            .compactMap { Double($0) ?? 0 }
        guard fields.count > 12 else { throw BenchFailure("/proc/\(id)/stat is not of the known form") }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        return ProcessorTime(user: fields[11] / ticks, system: fields[12] / ticks)
    }

    /// What all children have used that have ended so far, getrusage(2).
    static func usedByEndedChildren() -> ProcessorTime {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return ProcessorTime(user: seconds(usage.ru_utime), system: seconds(usage.ru_stime))
    }

    static func - (later: ProcessorTime, earlier: ProcessorTime) -> ProcessorTime {
        ProcessorTime(user: later.user - earlier.user, system: later.system - earlier.system)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
