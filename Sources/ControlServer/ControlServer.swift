package import Platform

/// The API on a socket: HTTP/1.1 with JSON, by libmicrohttpd on a thread of its own. Runs from its making until `stop`.
package final class ControlServer: Sendable {
    private let dispatcher: Dispatcher
    /// Nil once stopped.
    private let daemon: Locked<HTTPDaemon?>

    /// Serves `listening`, which its owner may close at any time after: the server has a duplicate. Refused requests
    /// are logged as `debug`.
    package init(listening: Descriptor, service: any ControlService, log: Log) throws(SystemError) {
        dispatcher = Dispatcher(responder: Responder(service: service), log: log)
        daemon = Locked(try HTTPDaemon(listening: listening, dispatcher: dispatcher))
    }

    deinit {
        stop()
    }

    /// Takes no more connections and closes those that are open; requests that the daemon still works on are given up,
    /// their tasks cancelled. Returns when all is closed, within milliseconds. Who connects later waits until the
    /// socket's owner closes it. Stopping again does nothing.
    package func stop() {
        let running = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let running else { return }
        dispatcher.close()
        running.stop()
    }
}
