package import Platform

/// The picture of a page, as it is handed out.
package struct PageImage: Sendable {
    /// Open for reading, at its beginning.
    package let file: Descriptor
    package let bytes: Int64
    package let mediaType: String
    /// The XXH3-128 of its bytes.
    package let contentID: String

    package init(file: Descriptor, bytes: Int64, mediaType: String, contentID: String) {
        self.file = file
        self.bytes = bytes
        self.mediaType = mediaType
        self.contentID = contentID
    }
}
