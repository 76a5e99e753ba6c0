import JSON

extension StatusReport {
    /// The downloads since the daemon started.
    package struct Transfers: Sendable, Equatable {
        package let active: Int
        package let queued: Int
        package let completed: Int
        package let failed: Int
        package let retried: Int
        package let resumed: Int
        /// Over the wire.
        package let bytes: Int

        package init(active: Int, queued: Int, completed: Int, failed: Int, retried: Int, resumed: Int, bytes: Int) {
            self.active = active
            self.queued = queued
            self.completed = completed
            self.failed = failed
            self.retried = retried
            self.resumed = resumed
            self.bytes = bytes
        }

        init(json: JSONObject) throws(JSONFieldError) {
            active = try json.count("active")
            queued = try json.count("queued")
            completed = try json.count("completed")
            failed = try json.count("failed")
            retried = try json.count("retried")
            resumed = try json.count("resumed")
            bytes = try json.count("bytes")
        }

        var json: JSONObject {
            [
                "active": JSONValue(active),
                "queued": JSONValue(queued),
                "completed": JSONValue(completed),
                "failed": JSONValue(failed),
                "retried": JSONValue(retried),
                "resumed": JSONValue(resumed),
                "bytes": JSONValue(bytes),
            ]
        }
    }
}
