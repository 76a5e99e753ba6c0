package import JSON

/// One story in a list. Times are RFC 3339 texts, the state is one of the manifest's.
package struct StorySummary: Sendable, Equatable {
    package let id: String
    /// Nil: the story came without a group.
    package let group: String?
    package let state: String
    package let settled: Bool
    /// How many pages it has, and how many of them are cached.
    package let pages: Int
    package let cached: Int
    package let revision: Int
    /// The alert's; nil where it has none.
    package let title: String?
    package let receivedAt: String
    package let updatedAt: String

    package init(
        id: String, group: String?, state: String, settled: Bool, pages: Int, cached: Int, revision: Int,
        title: String?, receivedAt: String, updatedAt: String
    ) {
        self.id = id
        self.group = group
        self.state = state
        self.settled = settled
        self.pages = pages
        self.cached = cached
        self.revision = revision
        self.title = title
        self.receivedAt = receivedAt
        self.updatedAt = updatedAt
    }

    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        id = try json.string("id")
        group = try json.optionalString("group")
        state = try json.string("state")
        settled = try json.bool("settled")
        pages = try json.count("pages")
        cached = try json.count("cached")
        revision = try json.count("revision")
        title = try json.optionalString("title")
        receivedAt = try json.string("received_at")
        updatedAt = try json.string("updated_at")
    }

    /// As it is sent.
    package var json: JSONObject {
        [
            "id": .string(id),
            "group": JSONValue(group),
            "state": .string(state),
            "settled": .bool(settled),
            "pages": JSONValue(pages),
            "cached": JSONValue(cached),
            "revision": JSONValue(revision),
            "title": JSONValue(title),
            "received_at": .string(receivedAt),
            "updated_at": .string(updatedAt),
        ]
    }
}
