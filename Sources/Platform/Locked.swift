import Glibc

/// A value behind a mutex: the one lock of the project. Hold it for a few instructions, never across a wait.
///
/// A pthread mutex, since ThreadSanitizer sees false races through `Synchronization.Mutex`.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // SAFETY: `value` is touched only inside `withLock`, while the mutex is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with the value, alone.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
