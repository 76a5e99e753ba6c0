package import Hashing
package import ImageInspection
import Stories

/// A whole picture by its content, as its receiver found it while the bytes passed: what is in a container under that
/// name, or is to be put there.
package struct StoredObject: Sendable, Equatable {
    package let content: ContentID
    package let header: ImageHeader
    /// The length of the file.
    package let bytes: Int64

    package init(content: ContentID, header: ImageHeader, bytes: Int64) {
        self.content = content
        self.header = header
        self.bytes = bytes
    }

    /// Where it is, relative to `pw_stories_cache/`.
    package var file: String { ContainerLayout.object(content, fileExtension: header.type.fileExtension) }

    /// The directory of `objects/` that it is in.
    var directoryName: String { ContainerLayout.objectFolder(content) }

    /// Its name in that directory.
    var fileName: String { ContainerLayout.objectName(content, fileExtension: header.type.fileExtension) }
}
