import Glibc

/// Waits until several files and directories are on disk, all at once: a journal that is written for one of them is
/// written for the others too, so that many take hardly longer than one. Its threads start with the first need and live
/// as long as the process. Owned by one thread, which alone calls it.
package final class Synchronizer: Sendable {
    /// What is to be on disk, fsync(2).
    package enum Target: Sendable {
        /// Its bytes.
        case file(Descriptor)
        /// Its names.
        case directory(Directory)

        func synchronize() throws(SystemError) {
            switch self {
            case .file(let file): try file.synchronize()
            case .directory(let directory): try directory.synchronize()
            }
        }
    }

    private struct Work {
        var targets: [Target] = []
        var next = 0
        var failures: [SystemError?] = []
        var unfinished = 0
    }

    private let work = Locked(Work())
    private let calls = Semaphore()
    private let done = Semaphore()
    private let name: String
    private let threads: Int
    private let running = Locked(0)

    /// One with up to `threads` threads beside the caller's own; `name` as `Thread` takes it.
    package init(name: String, threads: Int) {
        self.name = name
        self.threads = threads
    }

    /// Blocks until all of them are on disk, or are known not to be; says of each why it is not.
    package func synchronize(_ targets: [Target]) -> [SystemError?] {
        guard !targets.isEmpty else { return [] }
        work.withLock {
            $0 = Work(
                targets: targets, failures: [SystemError?](repeating: nil, count: targets.count),
                unfinished: targets.count)
        }
        for _ in 0..<min(targets.count - 1, hands()) { calls.signal() }
        takePart()
        done.wait()
        return work.withLock { work in
            // What was open for this stays open no longer.
            defer { work = Work() }
            return work.failures
        }
    }

    /// How many threads there are. Where none can be started the caller does all.
    private func hands() -> Int {
        running.withLock { running in
            while running < threads {
                do throws(SystemError) {
                    try Thread(name: name) { [self] in
                        while true {
                            calls.wait()
                            takePart()
                        }
                    }.detach()
                } catch {
                    return running
                }
                running += 1
            }
            return running
        }
    }

    /// Takes one after the other until none is left.
    private func takePart() {
        while let (place, target) = nextTarget() {
            var failure: SystemError?
            do throws(SystemError) { try target.synchronize() } catch { failure = error }
            let isLast = work.withLock { work in
                work.failures[place] = failure
                work.unfinished -= 1
                return work.unfinished == 0
            }
            if isLast { done.signal() }
        }
    }

    private func nextTarget() -> (place: Int, target: Target)? {
        work.withLock { work in
            guard work.next < work.targets.count else { return nil }
            defer { work.next += 1 }
            return (work.next, work.targets[work.next])
        }
    }
}
