import Glibc

/// A count that threads wait for, sem_overview(7). It takes no descriptor, so it can be had at any time.
final class Semaphore: @unchecked Sendable {
    // SAFETY: sem_t is made for use by several threads at once, and stays at its address from `init` to `deinit`.
    private let raw: UnsafeMutablePointer<sem_t>

    init() {
        raw = .allocate(capacity: 1)
        raw.initialize(to: sem_t())
        sem_init(raw, 0, 0)
    }

    deinit {
        sem_destroy(raw)
        raw.deinitialize(count: 1)
        raw.deallocate()
    }

    /// Lets one thread pass, now or later.
    func signal() {
        sem_post(raw)
    }

    /// Blocks until this thread may pass.
    func wait() {
        while sem_wait(raw) != 0 {}
    }
}
