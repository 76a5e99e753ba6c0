package import Hashing

/// A picture in the container, as the manifest describes it.
package struct CachedImage: Sendable, Equatable {
    /// The hash of the bytes, which is the file's name.
    package let contentID: ContentID
    /// By the true type: lower-case letters and digits, without a dot.
    package let fileExtension: String
    /// The size of the file.
    package let bytes: Int
    /// The true type, such as `image/jpeg`.
    package let mediaType: String
    /// Pixels as stored, before any orientation.
    package let width: Int
    package let height: Int
    /// 1 for a still picture.
    package let frames: Int
    package let source: PageSource

    package init(
        contentID: ContentID, fileExtension: String, bytes: Int, mediaType: String, width: Int, height: Int,
        frames: Int, source: PageSource
    ) {
        self.contentID = contentID
        self.fileExtension = fileExtension
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.frames = frames
        self.source = source
    }

    /// The file's path, relative to `pw_stories_cache/`.
    package var file: String { ContainerLayout.object(contentID, fileExtension: fileExtension) }

    /// The extension in a path that `file` has written; nil where the path is none for this content.
    static func fileExtension(of file: String, contentID: ContentID) -> String? {
        let stem = ContainerLayout.object(contentID, fileExtension: "")
        guard file.utf8.starts(with: stem.utf8) else { return nil }
        let ending = file.utf8.dropFirst(stem.utf8.count)
        guard 1...8 ~= ending.count, ending.allSatisfy({ $0.isASCIILetterOrDigit && $0 | 0x20 == $0 }) else {
            return nil
        }
        return String(ending)
    }
}
