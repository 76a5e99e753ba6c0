import ControlAPI

/// A request that is known to be well formed: the route it takes, with its parameters read.
enum Call: Sendable {
    case status
    case stories(StoryQuery)
    case story(id: String, group: String?)
    case health

    /// Throws what the client did wrong, in the order of what matters most: who asks, for what, how, with what.
    init(_ request: Request) throws(APIError) {
        try RequestOrigin.check(request)
        let (route, segments) = try Route.find(method: request.method, path: request.path)
        guard !request.hasBody else { throw .tooLarge("\(route.method) \(route.path) takes no body") }
        let query = try Call.parameters(request.query)
        try route.check(query)
        switch route.endpoint {
        case .status: self = .status
        case .stories: self = .stories(try StoryQuery(query))
        case .story: self = .story(id: segments["id"] ?? "", group: try query.group())
        case .health: self = .health
        }
    }

    private static func parameters(_ query: [(name: String, value: String)]) throws(APIError) -> QueryParameters {
        var parameters = QueryParameters()
        for (name, value) in query {
            guard let name = PercentEncoding.decode(name), let value = PercentEncoding.decode(value) else {
                throw .badRequest("a query parameter is not percent-encoded UTF-8")
            }
            guard parameters[name] == nil else { throw .badRequest("query parameter '\(name)' is given twice") }
            parameters[name] = value
        }
        return parameters
    }
}
