/// What the cache has and did. `objects` and `bytes` are of now, the others count since the start.
package struct CacheStatistics: Sendable, Equatable {
    /// Files under `objects/`, over all containers.
    package var objects = 0
    /// Their sizes together.
    package var bytes: Int64 = 0
    /// Downloads whose bytes were there already.
    package var deduplicated = 0
    /// Objects removed to keep within the limits.
    package var evicted = 0
    /// Files whose bytes were not what their name says, or that others have removed, and contents that share a hash with
    /// another.
    package var corrupt = 0
}
