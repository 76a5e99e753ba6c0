package import JSON

/// Whether the daemon does its work: the answer to `GET /healthz`.
package enum Health: String, Sendable {
    case ok
    case starting
    case degraded
    case stopping

    /// With 200 or 503 of HTTP. Degraded it works, for all that is not in the status' problems.
    package var isWorking: Bool { self == .ok || self == .degraded }

    /// As it is sent.
    package var json: JSONObject { ["status": .string(rawValue)] }
}
