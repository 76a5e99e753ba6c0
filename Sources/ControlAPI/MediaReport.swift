/// What the cache knows of a URL: the answer to `GET /v1/media`. Times are RFC 3339 texts.
package struct MediaReport: Sendable, Equatable {
    /// Whether the URL gives a picture without a request.
    package enum State: String, Sendable, CaseIterable {
        /// It does.
        case fresh
        /// There is one, which the origin is asked about before it serves.
        case stale
        /// There is none.
        case absent
        /// There is none, and the origin was asked a moment ago.
        case negative
    }

    /// The picture.
    package struct Object: Sendable, Equatable {
        /// Where it is in each container, relative to `pw_stories_cache/`.
        package let file: String
        package let bytes: Int
        package let mediaType: String
        package let width: Int
        package let height: Int
        package let frames: Int
        /// The XXH3-128 of its bytes.
        package let contentID: String

        package init(
            file: String, bytes: Int, mediaType: String, width: Int, height: Int, frames: Int, contentID: String
        ) {
            self.file = file
            self.bytes = bytes
            self.mediaType = mediaType
            self.width = width
            self.height = height
            self.frames = frames
            self.contentID = contentID
        }
    }

    /// A story whose manifest names the picture.
    package struct Holder: Sendable, Equatable {
        package let id: String
        /// Nil: without a group.
        package let group: String?

        package init(id: String, group: String?) {
            self.id = id
            self.group = group
        }
    }

    /// The URL by which the cache knows it: normalised, without what the configuration leaves out of the key.
    package let url: String
    package let state: State
    /// Nil where there is none.
    package let object: Object?
    /// The groups whose containers have it, of those that the peer may see; nil stands for no group.
    package let groups: [String?]
    /// What the origin is asked with, when it is stale.
    package let etag: String?
    package let lastModified: String?
    package let obtainedAt: String?
    package let freshUntil: String?
    /// Of those that the peer may see.
    package let stories: [Holder]

    package init(
        url: String, state: State, object: Object? = nil, groups: [String?] = [], etag: String? = nil,
        lastModified: String? = nil, obtainedAt: String? = nil, freshUntil: String? = nil, stories: [Holder] = []
    ) {
        self.url = url
        self.state = state
        self.object = object
        self.groups = groups
        self.etag = etag
        self.lastModified = lastModified
        self.obtainedAt = obtainedAt
        self.freshUntil = freshUntil
        self.stories = stories
    }
}
