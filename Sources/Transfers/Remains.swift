package import Hashing

/// What of a body could be gone on with later. Exists only where the origin's answer had something to tell by, for
/// certain, whether the rest is of the same bytes. A plain value.
package struct Remains: Sendable, Equatable {
    /// Bytes written to the file, from its beginning; more than 0.
    package let bytes: Int64
    /// The name of exactly these bytes.
    package let content: ContentID
    /// For `If-Range`: a strong ETag, or a date that is strong (RFC 9110, section 8.8.2.2).
    package let validator: String
    /// The name of the URL that the bytes came from, where the redirects ended: the validator holds for that alone. No
    /// text of it, which may be signed.
    package let source: ContentID
    /// Bytes of the whole body, where the answer told.
    package let total: Int64?

    package init(bytes: Int64, content: ContentID, validator: String, source: ContentID, total: Int64?) {
        self.bytes = bytes
        self.content = content
        self.validator = validator
        self.source = source
        self.total = total
    }

    /// What a transfer that is to go on finds; nil where that is nothing.
    init?(_ resumption: Resumption) {
        guard RestRequest(resumption) != nil else { return nil }
        self.init(
            bytes: resumption.prefix.bytes, content: resumption.prefix.content, validator: resumption.validator,
            source: resumption.source, total: resumption.total)
    }
}
