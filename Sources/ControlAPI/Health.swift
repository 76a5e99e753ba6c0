package import JSON

/// Whether the daemon does its work: the answer to `GET /healthz`. All but `ok` are told with status 503.
package enum Health: String, Sendable {
    case ok
    case starting
    case degraded
    case stopping

    /// As it is sent.
    package var json: JSONObject { ["status": .string(rawValue)] }
}
