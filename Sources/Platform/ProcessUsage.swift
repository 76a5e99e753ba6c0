import Glibc

/// What this process takes of the machine, as of one moment.
package struct ProcessUsage: Sendable, Equatable {
    /// Time on processors, in user and in kernel mode together.
    package let processorTime: Duration
    /// Memory that is resident, in bytes.
    package let residentBytes: Int
    /// Descriptors that are open, and how many may be.
    package let openDescriptors: Int
    package let maximumDescriptors: Int

    /// Asks the kernel, on a thread of its own. Nil where there is no thread or no /proc.
    package static func now() async -> ProcessUsage? {
        // Who asks has all else to tell, and leaves this out.
        try? await Thread.run(name: "usage") { try? ProcessUsage() }
    }

    private init() throws(SystemError) {
        let folder = try Directory.open("/proc/self")
        // Pages: all, then the resident ones, proc(5).
        let text = String(
            decoding: try folder.openFile("statm", flags: O_RDONLY).readAll(limit: 4096) ?? [], as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else {
            throw SystemError("read", path: folder.subpath("statm"), code: EBADMSG)
        }
        residentBytes = pages * Int(getpagesize())
        // But for those that this look itself needs: `folder`, `fd` and its stream.
        openDescriptors = try folder.directory("fd").names().count - 3
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        processorTime = [usage.ru_utime, usage.ru_stime].reduce(.zero) {
            $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        maximumDescriptors = Int(clamping: limit.rlim_cur)
    }
}
