import ControlAPI
package import Platform

/// The API on a socket: HTTP/1.1 with JSON, by libmicrohttpd on a thread of its own behind an accept loop of ours. Runs
/// from its making until `stop`.
package final class ControlServer: Sendable {
    private let dispatcher: Dispatcher
    private let daemon: HTTPDaemon
    private let loop: AcceptLoop
    private let isStopped = Locked(false)

    /// Serves `listening`, which its owner may close at any time after `stop`. Refused requests are logged as `debug`.
    package init(listening: Descriptor, service: any ControlService, log: Log) throws(SystemError) {
        let clients = try Clients()
        let dispatcher = Dispatcher(service: service, clients: clients, log: log)
        let daemon = try HTTPDaemon(dispatcher: dispatcher)
        do throws(SystemError) {
            loop = try AcceptLoop(
                listening: listening, clients: clients,
                isPrivileged: { service.permits(.change, to: $0) }, hand: { daemon.add($0) },
                lookAround: { dispatcher.lookAround() })
        } catch {
            daemon.stop()
            throw error
        }
        self.daemon = daemon
        self.dispatcher = dispatcher
    }

    deinit {
        stop()
    }

    /// Takes no more connections and closes those that are open; requests that the daemon still works on are given up,
    /// their tasks cancelled. Returns when all is closed, within milliseconds. Who connects later waits until the
    /// socket's owner closes it. Stopping again does nothing.
    package func stop() {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        if wasStopped { return }
        loop.stop()
        dispatcher.close()
        daemon.stop()
    }
}
