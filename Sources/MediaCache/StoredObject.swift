package import Hashing
package import ImageInspection

/// A picture that is in a container, whole, under the name of its content.
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

    init(_ description: ObjectDescription) {
        self.init(content: description.content, header: description.header, bytes: description.bytes)
    }

    /// Where it is, relative to `pw_stories_cache/`: `objects/ab/ab….jpg`.
    package var file: String { "objects/\(directoryName)/\(fileName)" }

    /// The directory of `objects/` that it is in.
    var directoryName: String { String(content.hex.prefix(2)) }

    /// Its name in that directory.
    var fileName: String { "\(content.hex).\(header.type.fileExtension)" }
}
