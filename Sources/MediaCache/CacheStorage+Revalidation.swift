package import Platform

// Objects that must be asked about before they serve again.
extension CacheStorage {
    /// The object that `key` gave last, where it may serve others once its origin says that it still holds, or cannot be
    /// reached: it is whole, in some container. Nil where there is none.
    package func stale(_ key: String, now: Timestamp) -> StaleObject? {
        index.use(orElse: nil) { index throws(DatabaseError) -> StaleObject? in
            guard let source = try index.source(key), source.freshness.isReusable else { return nil }
            for entry in try index.entries(of: source.content) {
                // What is wrong with its container shows when it is put to use.
                guard (try? whole(entry, now: now)) != nil else { continue }
                return StaleObject(object: entry.object, freshness: source.freshness)
            }
            return nil
        }
    }

    /// The origin has said that what `key` gave still holds.
    package func revalidated(_ key: String, _ stale: StaleObject, _ headers: ResponseHeaders, now: Timestamp) {
        index.use(orElse: ()) { index throws(DatabaseError) in
            try index.setSource(
                key, content: stale.object.content, stale.freshness.renewed(by: headers, now: now))
        }
    }
}
