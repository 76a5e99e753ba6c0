/// What is known of a partial that somebody writes to and that has notes. A plain value, owned by `CacheStorage`.
struct NotedPartial {
    /// How much of it was waited for until it was on disk.
    let synced: PartialNotes.Extent?
}
