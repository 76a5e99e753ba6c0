package import JSON

/// What became of a payload that was handed in: the answer to `POST /v1/stories`.
package struct Acceptance: Sendable, Equatable {
    /// One story.
    package struct Story: Sendable, Equatable {
        package let id: String
        /// Nil: without a group.
        package let group: String?
        /// The path of its manifest.
        package let manifest: String

        package init(id: String, group: String?, manifest: String) {
            self.id = id
            self.group = group
            self.manifest = manifest
        }

        package init(json: JSONObject) throws(JSONFieldError) {
            id = try json.string("id")
            group = try json.optionalString("group")
            manifest = try json.string("manifest")
        }

        package var json: JSONObject {
            ["id": .string(id), "group": JSONValue(group), "manifest": .string(manifest)]
        }
    }

    /// In the order of the payload's notifications; at least one.
    package let stories: [Story]
    /// The settled manifests, in the same order, where they were waited for and came in time.
    package let settled: [[UInt8]]?

    package init(stories: [Story], settled: [[UInt8]]? = nil) {
        self.stories = stories
        self.settled = settled
    }
}
