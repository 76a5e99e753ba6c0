/// What an earlier answer of the same URL said of itself: with it the origin is asked whether that still holds (RFC 9110,
/// section 13). A plain value.
package struct Validators: Sendable, Equatable {
    /// For `If-None-Match`, as it came.
    package let etag: String?
    /// For `If-Modified-Since`, as it came.
    package let lastModified: String?

    /// Nil where there is neither.
    package init?(etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The header lines of the request.
    var headerLines: [String] {
        // A line break in what an origin once sent would be another header.
        [etag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }].compactMap(\.self)
            .filter { line in line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
    }
}
