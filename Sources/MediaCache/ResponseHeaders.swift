/// The headers of an answer that say how long it may be kept, as they came; nil where there was none.
package struct ResponseHeaders: Sendable, Equatable {
    package var cacheControl: String?
    package var expires: String?
    package var date: String?
    package var age: String?
    package var lastModified: String?
    package var etag: String?
    package var vary: String?

    package init(
        cacheControl: String? = nil, expires: String? = nil, date: String? = nil, age: String? = nil,
        lastModified: String? = nil, etag: String? = nil, vary: String? = nil
    ) {
        self.cacheControl = cacheControl
        self.expires = expires
        self.date = date
        self.age = age
        self.lastModified = lastModified
        self.etag = etag
        self.vary = vary
    }
}
