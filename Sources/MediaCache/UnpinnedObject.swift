import Hashing
import ImageInspection
import Platform
import Stories

/// An object that no manifest names, by what the index knows of its file.
struct UnpinnedObject {
    let content: ContentID
    let type: ImageType
    let container: Container
    let bytes: Int64
    let usedAt: Timestamp

    /// The directory of `objects/` that it is in.
    var directoryName: String { ContainerLayout.objectFolder(content) }

    /// Its name in that directory.
    var fileName: String { ContainerLayout.objectName(content, fileExtension: type.fileExtension) }
}
