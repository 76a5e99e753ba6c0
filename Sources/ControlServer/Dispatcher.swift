import CMicrohttpd
import ControlAPI
import Platform

/// What libmicrohttpd calls for each request: authorise, check, suspend, let a task ask the daemon, resume, reply. Runs
/// on libmicrohttpd's thread, which it never blocks.
final class Dispatcher: Sendable {
    private let responder: Responder
    private let log: Log
    private let exchanges = Exchanges()

    init(responder: Responder, log: Log) {
        self.responder = responder
        self.log = log
    }

    /// Gives up the requests that the daemon works on, and takes no more.
    func close() { exchanges.close() }

    /// The request's line and headers are there: refuses it at once, before its body is sent, or goes on.
    func begin(_ exchange: Exchange, on connection: Connection) -> MHD_Result {
        guard let refusal = exchange.refusal else { return .YES }
        log.debug("socket: request refused: \(refusal.message)")
        return connection.queue(Reply(refusal), endsConnection: exchange.endsConnection)
    }

    /// The request is whole, or its connection is resumed because the reply is there.
    func proceed(_ exchange: Exchange, on connection: Connection) -> MHD_Result {
        if let reply = exchange.reply.withLock({ $0 }) { return connection.queue(reply, endsConnection: false) }
        // One that was refused has been replied to.
        guard let call = exchange.call else { return .NO }
        let isStarted = exchanges.start(exchange, on: connection) { [responder] in await responder.reply(to: call) }
        if isStarted { return .YES }
        return connection.queue(Reply(.unavailable("the daemon is stopping")), endsConnection: true)
    }
}
