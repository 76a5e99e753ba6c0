import CMicrohttpd
import ControlAPI
import Platform

/// What libmicrohttpd calls for each request: authorise, check, take the body, suspend, let a task ask the daemon, resume,
/// reply. Runs on libmicrohttpd's thread, which it never blocks.
final class Dispatcher: Sendable {
    private let service: any ControlService
    private let responder: Responder
    private let clients: Clients
    private let log: Log
    private let exchanges = Exchanges()
    private let streams = EventStreams()
    /// Requests whose bodies are being received.
    private let bodies = Locked(0)

    /// So many bodies are received at once; each may take as much memory as the largest that is allowed.
    private static let maximumBodies = 16

    init(service: any ControlService, clients: Clients, log: Log) {
        self.service = service
        responder = Responder(service: service)
        self.clients = clients
        self.log = log
    }

    /// Gives up the requests that the daemon works on, and takes no more.
    func close() {
        exchanges.close()
        streams.close()
        // So that readers see an end and not a broken answer; one that reads nothing gets no more time than that.
        let end = SuspendingClock.now.advanced(by: .milliseconds(200))
        while !streams.isEmpty, .now < end { clients.waitForOneToGo(atMost: .milliseconds(20)) }
    }

    /// Sees to what libmicrohttpd does not tell of; to be called every few seconds, or after as long as it answers.
    func lookAround() -> Duration? {
        streams.endAbandoned()
        return clients.endOverdue()
    }

    /// A request's line and headers are there: what it asks for, or why it is refused.
    func exchange(for request: Request, on connection: Connection) -> Exchange {
        // Unknown only where the connection is being closed.
        let peer = clients.peer(of: connection.socket) ?? Peer(user: .max, groups: [])
        do throws(APIError) {
            let order = try Order(request, payloadLimit: service.payloadLimit) { [service] access in
                service.permits(access, to: peer)
            }
            guard order.bodySize == nil || takeBody() else {
                throw .tooManyRequests("too many bodies are being sent; try again in a moment")
            }
            return Exchange(order, from: peer)
        } catch {
            log.debug("socket: request of user \(peer.user) refused: \(error.message)")
            return Exchange(request, refused: error, from: peer)
        }
    }

    /// Refuses the request at once, before a large body is sent, or goes on.
    func begin(_ exchange: Exchange, on connection: Connection) -> MHD_Result {
        if let refusal = exchange.refusal, !exchange.dropsBody { return refuse(exchange, refusal, on: connection) }
        clients.enter(.receiving, connection.socket)
        return .YES
    }

    private func refuse(_ exchange: Exchange, _ refusal: APIError, on connection: Connection) -> MHD_Result {
        clients.enter(.replying, connection.socket)
        return connection.queue(Reply(refusal), endsConnection: exchange.endsConnection)
    }

    /// The request is whole, or its connection is resumed because the reply is there.
    func proceed(_ exchange: Exchange, on connection: Connection) -> MHD_Result {
        if let reply = exchange.reply.withLock({ $0 }) {
            if case .events(let stream) = reply.body {
                streams.add(stream, on: connection.socket)
                return connection.queue(reply, endsConnection: true)
            }
            clients.enter(.replying, connection.socket)
            let isLast = if case .noEvents = reply.body { true } else { false }
            return connection.queue(reply, endsConnection: isLast)
        }
        if let refusal = exchange.refusal { return refuse(exchange, refusal, on: connection) }
        guard let order = exchange.order else { return .NO }
        freeBody(of: exchange)
        clients.enter(.working, connection.socket)
        let isStarted = exchanges.start(exchange, on: connection) { [responder] in
            await responder.reply(to: order, body: exchange.takeBody(), from: exchange.peer)
        }
        if isStarted { return .YES }
        return connection.queue(Reply(.unavailable("the daemon is stopping")), endsConnection: true)
    }

    /// The reply is sent, or the client has gone.
    func end(_ exchange: Exchange, on connection: Connection) {
        freeBody(of: exchange)
        streams.remove(connection.socket)
        // Where the client has gone before it was sent anything.
        if case .events(let stream) = exchange.reply.withLock({ $0?.body }) { stream.end() }
        clients.enter(.idle, connection.socket)
    }

    /// The connection is about to be closed.
    func forget(_ connection: Connection) { clients.remove(connection.socket) }

    /// Its body is there, or comes no more.
    private func freeBody(of exchange: Exchange) {
        if exchange.endReceiving() { bodies.withLock { $0 -= 1 } }
    }

    private func takeBody() -> Bool {
        bodies.withLock { bodies in
            guard bodies < Self.maximumBodies else { return false }
            bodies += 1
            return true
        }
    }
}
