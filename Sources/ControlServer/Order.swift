import ControlAPI

/// A request that is known to be well formed and allowed: its route, the parts of its path, its query, and how large its
/// body is.
struct Order: Sendable {
    let route: Route
    /// Of the answer that GET would have only the head is sent.
    let isHead: Bool
    let segments: [String: String]
    let query: QueryParameters
    /// In bytes; nil where the route takes no body.
    let bodySize: Int?

    /// Throws what the client did wrong, in the order of what matters most: who asks, for what, how, with what.
    /// `payloadLimit`: how large a payload may be, in bytes.
    init(
        _ request: Request, payloadLimit: Int, isPermitted: (Route.Access) -> Bool
    ) throws(APIError) {
        try RequestOrigin.check(request)
        isHead = request.method == "HEAD"
        (route, segments) = try Route.find(method: request.method, path: request.path)
        guard isPermitted(route.access) else { throw .forbidden(route.access.refusal) }
        query = try Self.parameters(request.query)
        try route.check(query)
        bodySize = try Self.bodySize(request, route, payloadLimit: payloadLimit)
    }

    private static func bodySize(
        _ request: Request, _ route: Route, payloadLimit: Int
    ) throws(APIError) -> Int? {
        let limit: Int
        switch route.body {
        case .payload: limit = payloadLimit
        case .small: limit = 4096
        case nil:
            guard !request.hasBody else { throw .tooLarge("\(route.method) \(route.path) takes no body") }
            return nil
        }
        guard request.values(of: "transfer-encoding").isEmpty, let text = request.values(of: "content-length").first
        else { throw .lengthRequired }
        guard Set(request.values(of: "content-length")).count == 1 else {
            throw .badRequest("there are several Content-Lengths")
        }
        guard let size = Int(text), (0...limit).contains(size) else {
            throw .tooLarge("\(route.method) \(route.path) takes a body of at most \(limit) bytes")
        }
        let types = request.values(of: "content-type")
        guard types.count == 1, types.allSatisfy(isJSON) else {
            throw .unsupportedMediaType("the body must be sent as Content-Type: application/json")
        }
        guard request.values(of: "content-encoding").allSatisfy({ $0.lowercased() == "identity" }) else {
            throw .unsupportedMediaType("the body must be sent without a Content-Encoding")
        }
        return size
    }

    /// `application/json`, with parameters or without (RFC 9110, section 8.3).
    private static func isJSON(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" }.lowercased()
        return essence.split(whereSeparator: { $0 == " " || $0 == "\t" }) == ["application/json"]
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
