import Hashing
import ImageInspection
import Platform

/// An object's file of which no more is known than the file itself tells: which picture it is has been forgotten.
struct UnknownFile {
    let content: ContentID
    let type: ImageType
    let bytes: Int64
    let modified: Timestamp

    /// Nil where the file cannot be an object: by its name, its place or its kind.
    init?(name: String, directory: String, status: FileStatus) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard status.kind == .regular, parts.count == 2, let content = ContentID(hex: String(parts[0])),
            content.hex.hasPrefix(directory), directory.utf8.count == 2,
            let type = ImageType.allCases.first(where: { $0.fileExtension == parts[1] })
        else { return nil }
        self.content = content
        self.type = type
        bytes = status.size
        modified = status.modified
    }
}
