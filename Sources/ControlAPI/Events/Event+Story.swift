import JSON

extension Event {
    /// A story as a revision of its manifest tells of it.
    package struct Story: Sendable, Equatable {
        package let revision: Int
        /// One of the manifest's.
        package let state: String
        /// How many pages it has, and how many of them are cached.
        package let pages: Int
        package let cached: Int

        package init(revision: Int, state: String, pages: Int, cached: Int) {
            self.revision = revision
            self.state = state
            self.pages = pages
            self.cached = cached
        }

        init(_ json: JSONObject) throws(JSONFieldError) {
            revision = try json.count("revision")
            state = try json.string("state")
            pages = try json.count("pages")
            cached = try json.count("cached")
        }

        func write(to json: inout JSONObject) {
            json["revision"] = JSONValue(revision)
            json["state"] = .string(state)
            json["pages"] = JSONValue(pages)
            json["cached"] = JSONValue(cached)
        }
    }
}
