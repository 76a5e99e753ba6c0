import JSON

extension StatusReport {
    /// How many stories there are of each state, over all groups.
    package struct Stories: Sendable, Equatable {
        package let prefetching: Int
        package let ready: Int
        package let partial: Int
        package let failed: Int
        package let fallback: Int

        package init(prefetching: Int, ready: Int, partial: Int, failed: Int, fallback: Int) {
            self.prefetching = prefetching
            self.ready = ready
            self.partial = partial
            self.failed = failed
            self.fallback = fallback
        }

        init(json: JSONObject) throws(JSONFieldError) {
            prefetching = try json.count("prefetching")
            ready = try json.count("ready")
            partial = try json.count("partial")
            failed = try json.count("failed")
            fallback = try json.count("fallback")
        }

        var json: JSONObject {
            [
                "prefetching": JSONValue(prefetching),
                "ready": JSONValue(ready),
                "partial": JSONValue(partial),
                "failed": JSONValue(failed),
                "fallback": JSONValue(fallback),
            ]
        }
    }
}
