/// One thing that can be asked over the socket. The table `all` is the whole API: the server answers by it and the
/// client builds its requests from it.
package struct Route: Sendable, Equatable {
    /// What a route leads to.
    package enum Endpoint: Sendable {
        case status, groups, provision, stories, accept, story, delete, image, events
        case media, verify, evict, configuration, health, metrics
    }

    /// What a peer must be allowed to.
    package enum Access: Sendable {
        /// To open the socket; of stories, those that it may read anyway.
        case read
        /// To change things.
        case change
        /// To hand in payloads.
        case drop

        /// What one is told who may not.
        package var refusal: String {
            switch self {
            case .read: "you may not use this socket"
            case .change: "only root, the daemon's own user and the users in socket_writers may change things"
            case .drop: "only who may write to the inbox, or may change things, may hand in stories"
            }
        }
    }

    package let endpoint: Endpoint
    package let method: String
    /// The path; a segment in braces stands for any one segment, of that name.
    package let path: String
    /// The names that its query may hold.
    package let query: [String]
    package let access: Access
    /// What its body may be; nil where it takes none. Bodies are JSON.
    package let body: Body?

    package enum Body: Sendable {
        /// At most 4096 bytes.
        case small
        /// As large as a payload may be.
        case payload
    }

    package static let all = [
        Route(.status, "GET", "/v1/status"),
        Route(.groups, "GET", "/v1/groups"),
        Route(.provision, "POST", "/v1/groups", access: .change, body: .small),
        Route(.stories, "GET", "/v1/stories", query: ["group", "state", "limit", "after"]),
        Route(.accept, "POST", "/v1/stories", query: ["group", "wait"], access: .drop, body: .payload),
        Route(.story, "GET", "/v1/stories/{id}", query: ["group"]),
        Route(.delete, "DELETE", "/v1/stories/{id}", query: ["group"], access: .change),
        Route(.image, "GET", "/v1/stories/{id}/pages/{page}/image", query: ["group"]),
        Route(.events, "GET", "/v1/events"),
        Route(.media, "GET", "/v1/media", query: ["url"]),
        Route(.verify, "POST", "/v1/verify", access: .change),
        Route(.evict, "POST", "/v1/evict", access: .change, body: .small),
        Route(.configuration, "GET", "/v1/config"),
        Route(.health, "GET", "/healthz"),
        Route(.metrics, "GET", "/metrics"),
    ]

    private init(
        _ endpoint: Endpoint, _ method: String, _ path: String, query: [String] = [], access: Access = .read,
        body: Body? = nil
    ) {
        self.endpoint = endpoint
        self.method = method
        self.path = path
        self.query = query
        self.access = access
        self.body = body
    }

    /// The route of a request and the segments that its braces stand for, decoded. `path` is as sent, without query.
    /// Throws `notFound` for a path of no route, `methodNotAllowed` for a method that the path does not have.
    package static func find(method: String, path: String) throws(APIError) -> (Route, segments: [String: String]) {
        let candidates = all.compactMap { route in route.segments(of: path).map { (route, segments: $0) } }
        guard !candidates.isEmpty else { throw .notFound("no such path") }
        // What GET answers, HEAD asks for without its body.
        let wanted = method == "HEAD" ? "GET" : method
        guard let found = candidates.first(where: { $0.0.method == wanted }) else {
            let methods = candidates.map(\.0.method)
            throw .methodNotAllowed(allowed: methods.contains("GET") ? methods + ["HEAD"] : methods)
        }
        return found
    }

    /// Throws `badRequest` for a name that the query may not hold.
    package func check(_ parameters: QueryParameters) throws(APIError) {
        guard let unknown = parameters.names.first(where: { !query.contains($0) }) else { return }
        let known = query.isEmpty ? "none" : query.joined(separator: ", ")
        throw .badRequest("unknown query parameter '\(unknown)'; \(path) takes \(known)")
    }

    /// The path with `segments` in the place of its braces, encoded.
    func path(_ segments: [String: String]) -> String {
        pattern.map { part in
            Self.name(part).map { PercentEncoding.encode(segments[$0] ?? "") } ?? String(part)
        }.joined(separator: "/")
    }

    private var pattern: [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }

    /// What the braces stand for in `path`; nil where it is another path.
    private func segments(of path: String) -> [String: String]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let pattern = pattern
        guard parts.count == pattern.count else { return nil }
        var segments: [String: String] = [:]
        for (part, expected) in zip(parts, pattern) {
            guard let text = PercentEncoding.decode(part) else { return nil }
            if let name = Self.name(expected) {
                guard !text.isEmpty else { return nil }
                segments[name] = text
            } else if text != expected {
                return nil
            }
        }
        return segments
    }

    /// The name in a pattern's braces; nil for a literal segment.
    private static func name(_ part: Substring) -> String? {
        part.hasPrefix("{") && part.hasSuffix("}") ? String(part.dropFirst().dropLast()) : nil
    }
}
