/// One request as `ControlClient` sends it; its path and method come from the table of routes.
package struct ControlRequest: Sendable, Equatable {
    package let method: String
    /// Encoded, without query.
    package let path: String
    package let query: QueryParameters

    /// `GET /v1/status`.
    package static let status = ControlRequest(.status)
    /// `GET /healthz`.
    package static let health = ControlRequest(.health)
    /// `GET /metrics`.
    package static let metrics = ControlRequest(.metrics)
    /// `GET /v1/events`: an answer that goes on.
    package static let events = ControlRequest(.events)

    /// `GET /v1/stories`.
    package static func stories(_ query: StoryQuery) -> ControlRequest {
        ControlRequest(.stories, query: query.parameters)
    }

    /// `GET /v1/stories/ID`: its manifest. `group` as in `StoryQuery`.
    package static func story(id: String, group: String?) -> ControlRequest {
        var query = QueryParameters()
        query["group"] = group
        return ControlRequest(.story, segments: ["id": id], query: query)
    }

    private init(
        _ endpoint: Route.Endpoint, segments: [String: String] = [:], query: QueryParameters = QueryParameters()
    ) {
        let route = Route.all.first { $0.endpoint == endpoint }
        method = route?.method ?? "GET"
        path = route?.path(segments) ?? "/"
        self.query = query
    }
}
