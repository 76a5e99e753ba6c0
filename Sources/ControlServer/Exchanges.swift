import ControlAPI
import Platform

/// The exchanges that wait for the daemon, each with its connection suspended. Shared by libmicrohttpd's thread, which
/// adds them, and the tasks that finish them; whoever removes one resumes its connection, so each is resumed once.
final class Exchanges: Sendable {
    private struct State {
        var isClosed = false
        var waiting: [ObjectIdentifier: Waiting] = [:]
    }

    private struct Waiting {
        let exchange: Exchange
        let connection: Connection
        let task: Task<Void, Never>

        func answer(_ reply: Reply) {
            exchange.reply.withLock { $0 = reply }
            connection.resume()
        }
    }

    private let state = Locked(State())

    /// Suspends the connection until `work` has its reply; false, and nothing is done, once these are closed.
    func start(
        _ exchange: Exchange, on connection: Connection, work: @escaping @Sendable () async -> Reply
    ) -> Bool {
        // Under the lock, so that nothing can be suspended that `close` does not see.
        state.withLock { state in
            guard !state.isClosed else { return false }
            connection.suspend()
            let task = Task(priority: .medium) { self.finish(exchange, with: await work()) }
            state.waiting[ObjectIdentifier(exchange)] = Waiting(
                exchange: exchange, connection: connection, task: task)
            return true
        }
    }

    /// Gives all that wait up: libmicrohttpd must not be stopped while a connection is suspended (MHD_stop_daemon).
    func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            let tasks = state.waiting.values.map(\.task)
            for waiting in state.waiting.values { waiting.answer(Reply(.unavailable("the daemon is stopping"))) }
            state.waiting = [:]
            return tasks
        }
        for task in tasks { task.cancel() }
    }

    private func finish(_ exchange: Exchange, with reply: Reply) {
        state.withLock { state in
            // Gone where `close` came first.
            state.waiting.removeValue(forKey: ObjectIdentifier(exchange))?.answer(reply)
        }
    }
}
