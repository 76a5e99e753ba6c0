import Glibc

/// A serial executor on a thread of its own: an actor that blocks (SQLite, fsync, rename) holds up nobody but its
/// callers. The thread lives as long as the process.
///
/// What tasks of priority `medium` and above ask for goes before what others do: the work of many in the background does
/// not keep one waiting that somebody looks at. (For priorities above `medium` libdispatch asks for a nice value that only
/// root may have.)
package final class ThreadExecutor: SerialExecutor {
    private struct Queue {
        var urgent = FirstInFirstOut<UnownedJob>()
        var others = FirstInFirstOut<UnownedJob>()
        var thread: pthread_t?

        var count: Int { urgent.count + others.count }

        mutating func append(_ job: UnownedJob) {
            if job.priority.rawValue >= TaskPriority.medium.rawValue {
                urgent.append(job)
            } else {
                others.append(job)
            }
        }

        mutating func popFirst() -> UnownedJob? { urgent.popFirst() ?? others.popFirst() }
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
            defer { queue.append(job) }
            return queue.count == 0
        }
        if wasEmpty { wake.signal() }
    }

    package func checkIsolated() {
        precondition(isCurrent, "not on this executor's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    /// Jobs that wait.
    var waiting: Int { queue.withLock { $0.count } }

    private var isCurrent: Bool {
        queue.withLock { queue in
            queue.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
        }
    }

    private func run() {
        queue.withLock { $0.thread = pthread_self() }
        while true {
            wake.wait()
            while let job = queue.withLock({ $0.popFirst() }) {
                job.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
    }
}
