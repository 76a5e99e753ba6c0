import Glibc

/// A serial executor on a thread of its own: an actor that blocks (SQLite, fsync, rename) holds up nobody but its
/// callers. The thread lives as long as the process.
package final class ThreadExecutor: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var thread: pthread_t?
    }

    private let queue = Locked(Queue())
    private let wake: EventDescriptor

    /// Starts the thread; `name` as `Thread` takes it.
    package init(name: String) throws(SystemError) {
        wake = try EventDescriptor()
        _ = try Thread(name: name) { [self] in run() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wasEmpty = queue.withLock { queue in
            queue.jobs.append(job)
            return queue.jobs.count == 1
        }
        if wasEmpty { wake.signal() }
    }

    package func checkIsolated() {
        precondition(isCurrent, "not on this executor's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    private var isCurrent: Bool {
        queue.withLock { queue in
            queue.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
        }
    }

    private func run() {
        queue.withLock { $0.thread = pthread_self() }
        while true {
            wake.wait()
            let jobs = queue.withLock { queue in
                defer { queue.jobs = [] }
                return queue.jobs
            }
            for job in jobs {
                job.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
    }
}
