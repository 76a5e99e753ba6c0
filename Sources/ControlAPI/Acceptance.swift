package import JSON

/// What became of a payload that was handed in: the answer to `POST /v1/stories`.
package struct Acceptance: Sendable, Equatable {
    /// How long a client may wait for its stories to be settled, in seconds.
    package static let waits = 0...120

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

    /// Of an answer that has come before the stories were settled. Throws where it is not of that form.
    package init(json: JSONObject) throws(JSONFieldError) {
        let isOne = json["stories"] == nil
        stories =
            try isOne
            ? [Story(json: json)]
            : json.objects("stories") { element throws(JSONFieldError) in try Story(json: element) }
        settled = nil
    }

    package init(stories: [Story], settled: [[UInt8]]? = nil) {
        self.stories = stories
        self.settled = settled
    }
}
