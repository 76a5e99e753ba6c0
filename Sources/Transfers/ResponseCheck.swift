import Platform
import Stories

/// Judges the head of one answer, line by line, before a byte of its body is kept. A pure value, fed by the header
/// callback; interim answers (1xx) are passed over.
struct ResponseCheck {
    /// What the head means for the transfer.
    enum Verdict: Equatable {
        /// A picture may follow.
        case accept(ResponseMetadata)
        /// The rest of a picture may follow, which is so long in all.
        case goOn(ResponseMetadata, whole: Int64)
        /// There is no more of the picture than what is there.
        case whole(ResponseMetadata)
        /// The answer is not the rest that was asked for: the picture is to be asked for as if nothing were there.
        case afresh
        /// What was asked about has not changed.
        case unchanged(ResponseMetadata)
        /// Another URL is to be asked; as the header has it.
        case redirect(location: String)
        case fail(TransferFailure)
    }

    /// A head is a few hundred bytes; this is what it may take in all, in bytes.
    static let maximumBytes = 131_072

    private let imageBytes: Int64
    private let isConditional: Bool
    private let rest: RestRequest?
    private let now: Timestamp
    private var bytes = 0
    private var status: Int?
    private var fields = HeaderFields()
    /// The head has been judged; lines after that are trailers.
    private var isOver = false

    /// A check that takes bodies of up to `imageBytes`, 304 where the request was conditional, and parts where it was for
    /// the `rest` of a body; `now` is what a Retry-After date is measured from.
    init(imageBytes: Int64, isConditional: Bool = false, rest: RestRequest? = nil, now: Timestamp) {
        self.imageBytes = imageBytes
        self.isConditional = isConditional
        self.rest = rest
        self.now = now
    }

    /// Length of the body that the answer announces; nil while unknown.
    var announcedLength: Int64? {
        if case .length(let length?) = fields.framing { return length }
        return nil
    }

    /// What the rest of an accepted body could be asked for with, should it break off.
    var resumptionValidator: StrongValidator? {
        // A part is of the body that was asked for, whether it says so again or not.
        status == 206 ? rest?.validator : fields.resumptionValidator
    }

    /// Takes one line, its line break included; returns a verdict once, with the line that decides.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Verdict? {
        guard !isOver else { return nil }
        bytes += line.count
        guard bytes <= Self.maximumBytes else {
            isOver = true
            return .fail(TransferFailure(.badResponse, "The head of the answer is too large."))
        }
        var content = line[...]
        while let last = content.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            content.removeLast()
        }
        if content.isEmpty { return endOfHead() }
        // Only where a head begins: further down, a line that looks like one is a field like any other, as to libcurl.
        if status == nil { return statusLine(content) }
        fields.take(content)
        return nil
    }

    private mutating func statusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Verdict? {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
        fields = HeaderFields()
        guard words.count >= 2, words[1].count == 3, let code = Int(String(decoding: words[1], as: UTF8.self)),
            code > 99
        else {
            isOver = true
            return .fail(TransferFailure(.badResponse, "The answer does not begin with a status line."))
        }
        status = code
        return nil
    }

    private mutating func endOfHead() -> Verdict? {
        guard let status else { return nil }
        if status == 101 {
            isOver = true
            return .fail(
                TransferFailure(.badResponse, "The origin changed the protocol (101), which was not asked for."))
        }
        if 100...199 ~= status {
            self.status = nil
            return nil
        }
        isOver = true
        return judge(status)
    }

    private func judge(_ status: Int) -> Verdict {
        switch status {
        case 200: return judgeFraming()
        case 204: return .fail(TransferFailure(.empty, "The origin answered without a body (204)."))
        case 206:
            guard let rest else {
                return .fail(
                    TransferFailure(.badResponse, "The origin sent a part (206), which was not asked for."))
            }
            return judge(partAs: rest)
        case 304 where isConditional:
            return .unchanged(fields.metadata)
        case 304:
            return .fail(TransferFailure(.badResponse, "The origin answered 304 to a request without conditions."))
        case 416:
            guard let rest else { return failure(status) }
            return rest.isWhole(fields) ? .whole(rest.metadata(of: fields)) : .afresh
        case 301, 302, 303, 307, 308:
            if let location = fields.location, !location.isEmpty { return .redirect(location: location) }
            return .fail(TransferFailure(.badResponse, "The origin answered \(status) without a Location."))
        default:
            return failure(status)
        }
    }

    private func failure(_ status: Int) -> Verdict {
        .fail(
            TransferFailure(
                .httpStatus, "The origin answered \(status).", httpStatus: status,
                retryAfter: fields.retryAfter.flatMap { RetryAfter.parse($0, now: now) }))
    }

    private func judge(partAs rest: RestRequest) -> Verdict {
        guard let whole = rest.whole(ofPart: fields) else { return .afresh }
        guard whole <= imageBytes else { return .fail(.tooLarge(limit: imageBytes)) }
        return .goOn(rest.validator.completing(fields.metadata), whole: whole)
    }

    private func judgeFraming() -> Verdict {
        switch fields.framing {
        case .contradiction(let why): .fail(TransferFailure(.badResponse, why))
        case .tooLarge: .fail(.tooLarge(limit: imageBytes))
        case .length(let length?) where length > imageBytes: .fail(.tooLarge(limit: imageBytes))
        case .length(0): .fail(TransferFailure(.empty, "The origin answered with an empty body."))
        case .length: .accept(fields.metadata)
        }
    }
}

extension TransferFailure {
    static func tooLarge(limit: Int64) -> TransferFailure {
        TransferFailure(.tooLarge, "The body is larger than \(limit) bytes.")
    }
}
