/// Asks for the rest of a body that broke off, and judges whether an answer is that rest: whatever is not, for certain,
/// is not taken for it. A pure value.
struct RestRequest: Equatable {
    /// Bytes that are there; the rest begins after them.
    let from: Int64
    let validator: StrongValidator
    /// Bytes of the whole body, where that is known.
    let total: Int64?

    /// Nil where nothing can be gone on with: without a byte, with more of them than there are, or where no origin can
    /// have sent the validator.
    init?(_ resumption: Resumption) {
        self.init(from: resumption.prefix.bytes, validator: resumption.validator, total: resumption.total)
    }

    init?(from: Int64, validator: String, total: Int64?) {
        guard from > 0, total.map({ from <= $0 }) ?? true, let validator = StrongValidator(validator) else {
            return nil
        }
        self.from = from
        self.validator = validator
        self.total = total
    }

    /// The header lines of the request. Where the body has changed, the answer is the new one, whole (RFC 9110, section
    /// 13.1.5).
    var headerLines: [String] { ["Range: bytes=\(from)-", "If-Range: \(validator.text)"] }

    /// The length of the whole body where the answer, a 206, is its rest up to the very end; else nil. A part that ends
    /// earlier is allowed, but who sends it is quicker asked for the whole.
    func whole(ofPart head: HeaderFields) -> Int64? {
        guard case .part(from, let last, let said) = head.contentRange, let whole = said ?? total,
            total ?? whole == whole, last == whole - 1,
            case .length(let length) = head.framing, length ?? (whole - from) == whole - from,
            !head.isMultipart, !head.metadata.isEncoded, validator.agrees(with: head.metadata)
        else { return nil }
        return whole
    }

    /// Whether the answer, a 416, says that there is nothing after what is there.
    func isWhole(_ head: HeaderFields) -> Bool {
        head.contentRange == ContentRange.none(of: from) && total ?? from == from
            && validator.agrees(with: head.metadata)
    }

    /// What is known of the body that is there. Only that: what else a 416 says (of caching, say) is of itself.
    func metadata(of head: HeaderFields) -> ResponseMetadata {
        var metadata = ResponseMetadata()
        metadata.date = head.metadata.date
        return validator.completing(metadata)
    }
}
