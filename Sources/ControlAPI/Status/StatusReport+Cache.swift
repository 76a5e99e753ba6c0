import JSON

extension StatusReport {
    /// What is cached, over all containers, and how it was used since the daemon started.
    package struct Cache: Sendable, Equatable {
        package let objects: Int
        /// The sum of the sizes of the files under `objects/`.
        package let bytes: Int
        package let maxBytes: Int
        package let hits: Int
        package let misses: Int
        package let revalidated: Int
        /// Fetches that waited for one under way.
        package let coalesced: Int
        /// Downloads whose bytes were there already.
        package let deduplicated: Int
        package let evicted: Int
        package let corrupt: Int

        package init(
            objects: Int, bytes: Int, maxBytes: Int, hits: Int, misses: Int, revalidated: Int, coalesced: Int,
            deduplicated: Int, evicted: Int, corrupt: Int
        ) {
            self.objects = objects
            self.bytes = bytes
            self.maxBytes = maxBytes
            self.hits = hits
            self.misses = misses
            self.revalidated = revalidated
            self.coalesced = coalesced
            self.deduplicated = deduplicated
            self.evicted = evicted
            self.corrupt = corrupt
        }

        init(json: JSONObject) throws(JSONFieldError) {
            objects = try json.count("objects")
            bytes = try json.count("bytes")
            maxBytes = try json.count("max_bytes")
            hits = try json.count("hits")
            misses = try json.count("misses")
            revalidated = try json.count("revalidated")
            coalesced = try json.count("coalesced")
            deduplicated = try json.count("deduplicated")
            evicted = try json.count("evicted")
            corrupt = try json.count("corrupt")
        }

        var json: JSONObject {
            [
                "objects": JSONValue(objects),
                "bytes": JSONValue(bytes),
                "max_bytes": JSONValue(maxBytes),
                "hits": JSONValue(hits),
                "misses": JSONValue(misses),
                "revalidated": JSONValue(revalidated),
                "coalesced": JSONValue(coalesced),
                "deduplicated": JSONValue(deduplicated),
                "evicted": JSONValue(evicted),
                "corrupt": JSONValue(corrupt),
            ]
        }
    }
}
