package import JSON

/// A part of the list of stories, newest first: the answer to `GET /v1/stories`.
package struct StoryPage: Sendable, Equatable {
    package let stories: [StorySummary]
    /// What `after` takes to go on behind the last of these; nil at the end. Its form is the daemon's own.
    package let next: String?

    package init(stories: [StorySummary], next: String?) {
        self.stories = stories
        self.next = next
    }

    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        stories = try json.objects("stories") { element throws(JSONFieldError) in try StorySummary(json: element) }
        next = try json.optionalString("next")
    }

    /// As it is sent.
    package var json: JSONObject {
        ["stories": .array(stories.map { .object($0.json) }), "next": JSONValue(next)]
    }
}
