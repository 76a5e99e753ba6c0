package import Stories

/// Something that has happened to objects of the cache.
package enum CacheEvent: Sendable {
    /// Objects were removed to make room: those that the story alone held, or such as no story held.
    case evicted(Removal, story: StoryID?, container: Container?)
    /// A file was not what its name says, or was removed by others; it is removed, replaced, or was not taken.
    case corrupt(file: String, Container)
}
