extension CacheStorage {
    /// What `key` last gave, by the index alone; nil where no container has that any more.
    package func media(_ key: String) -> CachedMedia? {
        index.use(orElse: nil) { index throws(DatabaseError) in
            guard let (content, freshness) = try index.source(key) else { return nil }
            let entries = try index.entries(of: content)
            guard let object = entries.first?.object else { return nil }
            return CachedMedia(
                object: object, freshness: freshness, containers: entries.map(\.container),
                holders: try index.holders(of: content))
        }
    }
}
