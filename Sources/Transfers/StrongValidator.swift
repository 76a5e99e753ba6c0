/// What tells for certain whether two answers are of the same bytes (RFC 9110, section 8.8): a strong ETag or, of a body
/// without any ETag, the date of its last change where that is strong. A plain value.
struct StrongValidator: Equatable {
    /// As the origin wrote it, and as `If-Range` says it again.
    let text: String

    /// Of an answer; nil where it has none.
    init?(_ answer: ResponseMetadata) {
        if let etag = answer.etag {
            guard Self.isStrongETag(etag) else { return nil }
            text = etag
        } else {
            guard let date = answer.lastModified, let changed = HTTPDate.seconds(date),
                let answered = answer.date.flatMap(HTTPDate.seconds), answered - changed >= Self.leastAge,
                Self.isPrintable(date)
            else { return nil }
            text = date
        }
    }

    /// What was noted earlier; nil where that cannot have been one.
    init?(_ text: String) {
        guard Self.isStrongETag(text) || HTTPDate.seconds(text) != nil && Self.isPrintable(text) else { return nil }
        self.text = text
    }

    /// Whether an answer that names its validators can be of the same bytes.
    func agrees(with answer: ResponseMetadata) -> Bool {
        if let etag = answer.etag { return etag == text }
        return isETag || answer.lastModified.map { $0 == text } ?? true
    }

    /// What the answer says of itself, with this where it leaves that out: a part need not repeat what was asked with.
    func completing(_ answer: ResponseMetadata) -> ResponseMetadata {
        var answer = answer
        if isETag { answer.etag = answer.etag ?? text } else { answer.lastModified = answer.lastModified ?? text }
        return answer
    }

    private var isETag: Bool { text.utf8.first == UInt8(ascii: "\"") }

    /// Seconds from the last change to the answer. Within one second a file can change twice, and the two moments may be
    /// of two clocks (RFC 9110, section 8.8.2.2): a minute is more than those differ by.
    private static let leastAge: Int64 = 60

    private static func isStrongETag(_ text: String) -> Bool {
        let quote = UInt8(ascii: "\"")
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != quote }
    }

    /// A line break would be another header.
    private static func isPrintable(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
