package import Hashing

/// Where things are in a container: the names that the daemon writes and a player reads. All but `cache` are below
/// `pw_stories_cache/` and relative to it.
package enum ContainerLayout {
    /// The one directory of a container that is the daemon's.
    package static let cache = "pw_stories_cache"
    /// The directory of downloads and files that are not finished.
    package static let partials = ".partial"
    /// The directory of pictures, each in the folder of its content.
    package static let objects = "objects"
    /// The directory of stories, each in its own.
    package static let stories = "stories"
    /// A story's manifest, in its directory.
    package static let manifest = "manifest.json"
    /// The pointer to the newest story to show.
    package static let latest = "latest.json"

    /// The manifest of a story: `stories/<id>/manifest.json`.
    package static func manifest(of id: StoryID) -> String { "\(stories)/\(id)/\(manifest)" }

    /// A picture: `objects/ab/ab….jpg`.
    package static func object(_ content: ContentID, fileExtension: String) -> String {
        "\(objects)/\(objectFolder(content))/\(objectName(content, fileExtension: fileExtension))"
    }

    /// The directory of `objects/` that a picture is in.
    package static func objectFolder(_ content: ContentID) -> String { String(content.hex.prefix(2)) }

    /// A picture's name in its directory.
    package static func objectName(_ content: ContentID, fileExtension: String) -> String {
        "\(content.hex).\(fileExtension)"
    }
}
