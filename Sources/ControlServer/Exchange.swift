import ControlAPI
import Platform

/// One request on its way to its reply. libmicrohttpd's connection owns it from the request's first callback to its
/// last; while the daemon works, `Exchanges` holds it too.
final class Exchange: Sendable {
    let peer: Peer
    /// What is asked for; nil where the request is refused.
    let order: Order?
    /// Why it is refused.
    let refusal: APIError?
    /// Its body is read all the same, kept nowhere, before the refusal is sent.
    let dropsBody: Bool
    /// The connection is not used again: a body that nobody reads would be taken for the next request.
    let endsConnection: Bool
    /// The daemon's reply, once it is there.
    let reply = Locked<Reply?>(nil)
    private let body = Locked<[UInt8]>([])
    private let isReceiving: Locked<Bool>

    init(_ order: Order, from peer: Peer) {
        self.peer = peer
        self.order = order
        refusal = nil
        dropsBody = false
        endsConnection = false
        isReceiving = Locked(order.bodySize != nil)
    }

    init(_ request: Request, refused refusal: APIError, from peer: Peer) {
        self.peer = peer
        order = nil
        self.refusal = refusal
        dropsBody = request.sendsLittleUnasked
        endsConnection = request.hasBody
        isReceiving = Locked(false)
    }

    /// Nothing more of a body is awaited; true the first time, where there was one.
    func endReceiving() -> Bool {
        isReceiving.withLock { isReceiving in
            defer { isReceiving = false }
            return isReceiving
        }
    }

    /// Takes a piece of the body; false where it is more than was announced.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        if dropsBody { return true }
        guard let size = order?.bodySize else { return false }
        return body.withLock { body in
            guard body.count + piece.count <= size else { return false }
            body.append(contentsOf: piece)
            return true
        }
    }

    /// The body; it is no longer held.
    func takeBody() -> [UInt8] {
        body.withLock { body in
            defer { body = [] }
            return body
        }
    }
}
