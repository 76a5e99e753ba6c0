/// What an origin said of the body it sent, as it wrote it: the input of caching and of conditional requests. A plain
/// value; nil where the header was absent. Of headers that are lists, several lines are one list.
package struct ResponseMetadata: Sendable, Equatable {
    package var etag: String?
    package var lastModified: String?
    package var cacheControl: String?
    package var expires: String?
    package var date: String?
    package var age: String?
    package var vary: String?
    package var contentEncoding: String?

    package init() {}
}
