import Addresses
import Platform
import Stories

/// What one hop of a transfer receives: the head is judged, the body of an accepted answer is taken, everything else is
/// refused. libcurl's callbacks call it on the loop's thread; nobody else does.
final class Reception {
    /// What the hop came to.
    enum Outcome: Equatable {
        case done(Download)
        case unchanged(ResponseMetadata)
        case redirect(location: String)
        case failed(TransferFailure)
    }

    /// Of a body that is not wanted, so many bytes are read rather than close a connection that may serve again.
    static let longestDiscard: Int64 = 16_384

    /// Whether the request is on its way: the connection is there and secured.
    private(set) var isConnected = false
    /// The socket of the hop's connection, which others may share; known once the request is on its way.
    private(set) var socket: Int32?
    /// Opens and knows all sockets.
    let sockets: ConnectionSockets
    /// Known before the hop has ended, where the head or the body decided it.
    private(set) var outcome: Outcome?

    /// Of the body that is being taken: how large it is announced to be; nil where nothing is being taken or announced.
    var announcedLength: Int64? { accepted == nil ? nil : check.announcedLength }
    /// Whether a body is being taken.
    var isTaking: Bool { accepted != nil && outcome == nil }

    private var check: ResponseCheck
    private var body: BodyWriter
    private var accepted: ResponseMetadata?
    private var discarded: Int64 = 0
    private let policy: AddressPolicy?

    /// `policy` judges each address that a socket is asked for; nil behind a proxy, whose own address is all that is
    /// ever asked for.
    init(
        _ request: TransferRequest, _ options: TransferOptions, policy: AddressPolicy?, sockets: ConnectionSockets,
        now: Timestamp
    ) {
        self.sockets = sockets
        check = ResponseCheck(
            imageBytes: options.imageBytes, isConditional: request.validators != nil, now: now)
        body = BodyWriter(request, options)
        self.policy = policy
    }

    /// The request is about to be sent, over the connection with these ends.
    func connected(_ ends: ConnectionSockets.Ends?) {
        isConnected = true
        socket = ends.flatMap(sockets.socket)
    }

    /// Whether a socket to `address` may be opened. After one refusal nothing is: the answer that held it is not to be
    /// trusted in its other addresses either.
    func permits(_ address: IPAddress?) -> Bool {
        guard let policy else { return true }
        guard outcome == nil else { return false }
        guard let address else { return refuse(.refused("a socket of another kind than IPv4 and IPv6")) }
        return policy.refusal(of: address).map { refuse(.refused($0)) } ?? true
    }

    /// Takes one line of the head; false ends the hop.
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        switch check.take(line) {
        case nil:
            return true
        case .accept(let response):
            accepted = response
            return true
        case .unchanged(let response):
            outcome = .unchanged(response)
        case .redirect(let location):
            outcome = .redirect(location: location)
        case .fail(let failure):
            outcome = .failed(failure)
        }
        return check.announcedLength.map { $0 <= Self.longestDiscard } ?? false
    }

    /// Takes a piece of the body, decoded; false ends the hop.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard outcome == nil, accepted != nil else {
            discarded += Int64(bytes.count)
            return outcome != nil && discarded <= Self.longestDiscard
        }
        do throws(TransferFailure) {
            try body.write(bytes)
            return true
        } catch {
            return refuse(error)
        }
    }

    /// The answer has ended where it says it does. Without a whole head it was no answer.
    func finish() -> Outcome {
        if let outcome { return outcome }
        guard let accepted else { return .failed(.connectionLost) }
        do throws(TransferFailure) {
            return .done(try body.finish(accepted))
        } catch {
            return .failed(error)
        }
    }

    private func refuse(_ failure: TransferFailure) -> Bool {
        if outcome == nil { outcome = .failed(failure) }
        return false
    }
}

extension TransferFailure {
    static func refused(_ what: String) -> TransferFailure {
        TransferFailure(.addressDenied, "The address may not be reached: \(what).")
    }
}
