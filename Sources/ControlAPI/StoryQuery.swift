/// Which stories are asked for: the query of `GET /v1/stories`. Newest first.
package struct StoryQuery: Sendable, Equatable {
    /// The states a story can be asked by.
    package static let states = ["prefetching", "ready", "partial", "failed", "fallback"]
    /// How many stories one answer may hold.
    package static let limits = 1...1000
    package static let defaultLimit = 100

    /// Nil: of all groups. Empty: those that came without a group.
    package var group: String?
    /// One of `states`; nil: of all.
    package var state: String?
    package var limit: Int
    /// The `next` of the page before; nil: from the newest.
    package var after: String?

    package init(
        group: String? = nil, state: String? = nil, limit: Int = StoryQuery.defaultLimit, after: String? = nil
    ) {
        self.group = group
        self.state = state
        self.limit = limit
        self.after = after
    }

    /// Reads the query of a request; throws `badRequest` with what was expected.
    package init(_ parameters: QueryParameters) throws(APIError) {
        group = try parameters.group()
        state = parameters["state"]
        if let state, !Self.states.contains(state) {
            throw .badRequest("state: expected one of \(Self.states.joined(separator: ", "))")
        }
        limit = try parameters.integer("limit", in: Self.limits) ?? Self.defaultLimit
        after = parameters["after"]
    }

    /// The query as a client sends it.
    package var parameters: QueryParameters {
        var parameters = QueryParameters()
        parameters["group"] = group
        parameters["state"] = state
        parameters["limit"] = String(limit)
        parameters["after"] = after
        return parameters
    }
}
