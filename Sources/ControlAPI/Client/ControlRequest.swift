import JSON

/// One request as `ControlClient` sends it; its path and method come from the table of routes.
package struct ControlRequest: Sendable, Equatable {
    package let method: String
    /// Encoded, without query.
    package let path: String
    package let query: QueryParameters
    /// JSON; nil where there is none.
    package let body: [UInt8]?
    /// How long the daemon may take beyond what the client waits anyway, in seconds; nil: as long as it takes.
    package let patience: Int?

    /// `GET /v1/status`.
    package static let status = ControlRequest(.status)
    /// `GET /v1/groups`.
    package static let groups = ControlRequest(.groups)
    /// `GET /v1/config`.
    package static let configuration = ControlRequest(.configuration)
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
        ControlRequest(.story, segments: ["id": id], query: query(group: group))
    }

    /// `DELETE /v1/stories/ID`. `group` as in `StoryQuery`.
    package static func delete(id: String, group: String?) -> ControlRequest {
        ControlRequest(.delete, segments: ["id": id], query: query(group: group), patience: nil)
    }

    /// `POST /v1/stories`: hands a payload in. With `wait` the answer comes when its stories are settled, after so many
    /// seconds at the latest.
    package static func accept(_ payload: [UInt8], group: String?, wait: Int? = nil) -> ControlRequest {
        var query = query(group: group)
        query["wait"] = wait.map { String($0) }
        return ControlRequest(.accept, query: query, body: payload, patience: wait ?? 0)
    }

    /// `POST /v1/groups`: provisions a group.
    package static func provision(_ group: String) -> ControlRequest {
        ControlRequest(.provision, body: JSONValue.object(["id": .string(group)]).serializedBytes())
    }

    /// `GET /v1/media`: what the cache knows of a URL.
    package static func media(_ url: String) -> ControlRequest {
        var query = QueryParameters()
        query["url"] = url
        return ControlRequest(.media, query: query)
    }

    /// `POST /v1/verify`: looks at every object. Takes long.
    package static let verify = ControlRequest(.verify, patience: nil)

    /// `POST /v1/evict`: removes things from the cache.
    package static func evict(_ eviction: Eviction) -> ControlRequest {
        ControlRequest(.evict, body: JSONValue.object(eviction.json).serializedBytes(), patience: nil)
    }

    private init(
        _ endpoint: Route.Endpoint, segments: [String: String] = [:], query: QueryParameters = QueryParameters(),
        body: [UInt8]? = nil, patience: Int? = 0
    ) {
        let route = Route.all.first { $0.endpoint == endpoint }
        method = route?.method ?? "GET"
        path = route?.path(segments) ?? "/"
        self.query = query
        self.body = body
        self.patience = patience
    }

    private static func query(group: String?) -> QueryParameters {
        var query = QueryParameters()
        query["group"] = group
        return query
    }
}
