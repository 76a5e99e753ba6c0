import CLinux
import Glibc

/// A named thread of the process, started at once. Blocking work lives on such threads, never on Swift's pool.
package struct Thread: Sendable {
    private let id: pthread_t

    /// Starts `body` on a new thread; `name` (at most 15 bytes) is what `ps -L` and a debugger show.
    package init(name: String, body: @escaping @Sendable () -> Void) throws(SystemError) {
        // SAFETY: retained once here, and released once: by the thread, or below where there will be none.
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var id = pthread_t()
        let code = pthread_create(
            &id, nil,
            { context in
                guard let context else { return nil }
                // SAFETY: the context is the Start that was retained for this thread, which is the only one to take it.
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                _ = clinux_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        if code != 0 {
            start.release()
            throw SystemError("pthread_create", path: name, code: code)
        }
        self.id = id
    }

    /// Waits until its body has returned. Call it once at most, and from another thread.
    package func join() {
        pthread_join(id, nil)
    }

    /// Lets it end by itself: what it took of the system goes then. In place of `join`.
    package func detach() {
        pthread_detach(id)
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
