import Addresses
import Hashing
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
        /// Not the rest that was asked for: the whole is to be.
        case afresh
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

    /// Of the body that is being taken: how large it is announced to be, what was there before included; nil where
    /// nothing is being taken or announced.
    private(set) var length: Int64?
    /// Bytes of the body that were there before, where the hop goes on from them.
    private(set) var resumedFrom: Int64 = 0
    /// Whether a body is being taken.
    var isTaking: Bool { accepted != nil && outcome == nil }
    /// Whether the body's file is this hop's: what was in it before is of no use any more.
    var hasTaken: Bool { accepted != nil }

    private let request: TransferRequest
    private let source: ContentID
    private let options: TransferOptions
    private var check: ResponseCheck
    private var body: BodyWriter
    private var accepted: ResponseMetadata?
    private var toldKeepable: Int64 = 0
    private var discarded: Int64 = 0
    private let policy: AddressPolicy?

    /// `source` names the hop's URL. `policy` judges each address that a socket is asked for; nil behind a proxy, whose own address is all that is
    /// ever asked for.
    init(
        _ request: TransferRequest, _ options: TransferOptions, source: ContentID, rest: RestRequest?,
        isConditional: Bool, policy: AddressPolicy?, sockets: ConnectionSockets, now: Timestamp
    ) {
        self.request = request
        self.source = source
        self.options = options
        self.sockets = sockets
        check = ResponseCheck(
            imageBytes: options.imageBytes, isConditional: isConditional, rest: rest, now: now)
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
            length = check.announcedLength
            return true
        case .goOn(let response, let whole):
            accepted = response
            length = whole
            goOn()
            return true
        case .whole(let response):
            outcome = wholeAlready(response)
        case .afresh:
            outcome = .afresh
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
        if isPart, let length, Int64(bytes.count) > length - body.stored {
            outcome = .afresh
            return false
        }
        do throws(TransferFailure) {
            try body.write(bytes)
        } catch {
            outcome = meaning(of: error)
            return false
        }
        if body.stored - toldKeepable >= TransferRequest.keepInterval, let remains {
            toldKeepable = body.stored
            request.whenKeepable(remains)
        }
        return true
    }

    /// The answer has ended where it says it does. Without a whole head it was no answer.
    func finish() -> Outcome {
        if let outcome { return outcome }
        guard let accepted else { return .failed(.connectionLost) }
        if isPart, body.stored != length { return .failed(.truncated) }
        do throws(TransferFailure) {
            return .done(try body.finish(accepted, resumedFrom: resumedFrom))
        } catch {
            return meaning(of: error)
        }
    }

    /// What the file holds of the body that is being taken, where that could be gone on with.
    var remains: Remains? {
        guard isTaking, body.stored > 0, let validator = check.resumptionValidator else { return nil }
        return Remains(
            bytes: body.stored, content: body.content, validator: validator.text, source: source, total: length)
    }

    private var isPart: Bool { resumedFrom > 0 }

    /// Takes what is there for the beginning of the body.
    private func goOn() {
        guard let prefix = request.resumption?.prefix else { return }
        body = BodyWriter(request, options, goingOnFrom: prefix)
        resumedFrom = body.stored
        toldKeepable = body.stored
    }

    /// The origin has nothing beyond what is there; that must be a picture, whole.
    private func wholeAlready(_ response: ResponseMetadata) -> Outcome {
        goOn()
        do throws(TransferFailure) {
            return .done(try body.finish(response, resumedFrom: resumedFrom))
        } catch {
            return .afresh
        }
    }

    /// A body put together that is no picture may be one that the origin has changed without a word.
    private func meaning(of failure: TransferFailure) -> Outcome {
        switch failure.code {
        case .notImage, .unsupportedType, .incompleteImage, .tooManyPixels: isPart ? .afresh : .failed(failure)
        default: .failed(failure)
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
