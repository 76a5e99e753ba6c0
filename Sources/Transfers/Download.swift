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
    /// Of these bytes, how many were there before the transfer and were gone on from; 0 where all came with it.
    package let resumedFrom: Int64

    package init(
        content: ContentID, bytes: Int64, header: ImageHeader, response: ResponseMetadata, resumedFrom: Int64 = 0
    ) {
        self.content = content
        self.bytes = bytes
        self.header = header
        self.response = response
        self.resumedFrom = resumedFrom
    }
}
