/// What the cache knows of a key: the picture that it last gave, and who has it.
package struct CachedMedia: Sendable, Equatable {
    package let object: StoredObject
    package let freshness: Freshness
    /// The containers that have a copy.
    package let containers: [Container]
    /// The stories whose manifests name the picture, whatever key it came by.
    package let holders: [StoredStory]
}
