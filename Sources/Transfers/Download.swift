package import Hashing
package import ImageInspection

/// A picture that has arrived, whole: what the body's file now holds.
package struct Download: Sendable, Equatable {
    /// The name of the stored bytes.
    package let content: ContentID
    /// Bytes stored, after any content encoding was undone.
    package let bytes: Int64
    package let header: ImageHeader
    package let response: ResponseMetadata

    package init(content: ContentID, bytes: Int64, header: ImageHeader, response: ResponseMetadata) {
        self.content = content
        self.bytes = bytes
        self.header = header
        self.response = response
    }
}
