package import Hashing

/// What a transfer goes on with where an earlier one broke off. A plain value.
package struct Resumption: Sendable {
    /// The bytes that the body's file holds.
    package let prefix: BodyPrefix
    /// What tells that the rest is of the same body, for `If-Range`: a strong ETag, or a date that is strong.
    package let validator: String
    /// The name of the URL that the bytes came from, where the redirects ended: the rest is asked for there alone.
    package let source: ContentID
    /// Bytes of the whole body, where an answer has told.
    package let total: Int64?

    package init(prefix: BodyPrefix, validator: String, source: ContentID, total: Int64?) {
        self.prefix = prefix
        self.validator = validator
        self.source = source
        self.total = total
    }
}
