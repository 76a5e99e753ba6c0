package import JSON

/// What is to be removed from the cache: the body of `POST /v1/evict`.
package enum Eviction: Sendable, Equatable {
    /// So much that objects take that many bytes at most.
    case toBytes(Int)
    /// What is older than so many seconds.
    case olderThanSeconds(Int)

    /// Either number: whole, and one that every reader of JSON takes for what it is.
    package static let numbers = 0...(1 << 53)

    /// Reads a body; throws `badRequest` with what was expected.
    package init(_ body: JSONValue) throws(APIError) {
        guard let object = body.objectValue, object.keys.count == 1, let (name, value) = object.members.first,
            let number = value.integerValue.flatMap({ Int(exactly: $0) }), Self.numbers.contains(number)
        else { throw Self.refusal }
        switch name {
        case "to_bytes": self = .toBytes(number)
        case "older_than_seconds": self = .olderThanSeconds(number)
        default: throw Self.refusal
        }
    }

    /// As it is sent.
    package var json: JSONObject {
        switch self {
        case .toBytes(let bytes): ["to_bytes": JSONValue(bytes)]
        case .olderThanSeconds(let seconds): ["older_than_seconds": JSONValue(seconds)]
        }
    }

    private static let refusal = APIError.badRequest(
        #"expected a body like {"to_bytes": 500000000} or {"older_than_seconds": 86400}, with a whole number from 0"#)
}
