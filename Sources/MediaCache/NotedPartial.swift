/// What is known of a partial that somebody writes to and that has notes. A plain value, owned by `CacheStorage`.
struct NotedPartial {
    /// What was noted of it when its bytes were last waited for until they were on disk; nil where they never were. The
    /// file may have begun anew since, with another body.
    let synced: PartialNotes?
}
