package import JSON

extension StatusReport {
    /// One container.
    package struct Group: Sendable, Equatable {
        /// Nil: the container of payloads without a group.
        package let id: String?
        /// Its directory, absolute.
        package let container: String
        /// It stands in for a group that is not provisioned, or there is no group.
        package let fallback: Bool
        package let stories: Int
        package let objects: Int
        package let bytes: Int

        package init(id: String?, container: String, fallback: Bool, stories: Int, objects: Int, bytes: Int) {
            self.id = id
            self.container = container
            self.fallback = fallback
            self.stories = stories
            self.objects = objects
            self.bytes = bytes
        }

        package init(json: JSONObject) throws(JSONFieldError) {
            id = try json.optionalString("id")
            container = try json.string("container")
            fallback = try json.bool("fallback")
            stories = try json.count("stories")
            objects = try json.count("objects")
            bytes = try json.count("bytes")
        }

        /// As it is sent.
        package var json: JSONObject {
            [
                "id": JSONValue(id),
                "container": .string(container),
                "fallback": .bool(fallback),
                "stories": JSONValue(stories),
                "objects": JSONValue(objects),
                "bytes": JSONValue(bytes),
            ]
        }
    }
}
