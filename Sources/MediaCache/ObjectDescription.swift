package import Hashing
package import ImageInspection

/// What a finished download is, as its receiver found while the bytes passed.
package struct ObjectDescription: Sendable, Equatable {
    package let content: ContentID
    /// The length of the file.
    package let bytes: Int64
    package let header: ImageHeader

    package init(content: ContentID, bytes: Int64, header: ImageHeader) {
        self.content = content
        self.bytes = bytes
        self.header = header
    }
}
