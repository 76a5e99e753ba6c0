package import JSON

/// What was removed from the cache: the answer to `POST /v1/evict`.
package struct EvictionReport: Sendable, Equatable {
    package let stories: Int
    /// Files under `objects/`.
    package let objects: Int
    /// The sizes of these together.
    package let bytes: Int

    package init(stories: Int, objects: Int, bytes: Int) {
        self.stories = stories
        self.objects = objects
        self.bytes = bytes
    }

    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        stories = try json.count("stories")
        objects = try json.count("objects")
        bytes = try json.count("bytes")
    }

    /// As it is sent.
    package var json: JSONObject {
        ["stories": JSONValue(stories), "objects": JSONValue(objects), "bytes": JSONValue(bytes)]
    }
}
