import JSON

extension StatusReport {
    /// The payloads since the daemon started.
    package struct Inbox: Sendable, Equatable {
        package let path: String
        /// Payloads not yet accepted.
        package let pending: Int
        package let accepted: Int
        package let rejected: Int
        /// Times the directory was read again because events may have been lost.
        package let rescans: Int

        package init(path: String, pending: Int, accepted: Int, rejected: Int, rescans: Int) {
            self.path = path
            self.pending = pending
            self.accepted = accepted
            self.rejected = rejected
            self.rescans = rescans
        }

        init(json: JSONObject) throws(JSONFieldError) {
            path = try json.string("path")
            pending = try json.count("pending")
            accepted = try json.count("accepted")
            rejected = try json.count("rejected")
            rescans = try json.count("rescans")
        }

        var json: JSONObject {
            [
                "path": .string(path),
                "pending": JSONValue(pending),
                "accepted": JSONValue(accepted),
                "rejected": JSONValue(rejected),
                "rescans": JSONValue(rescans),
            ]
        }
    }
}
