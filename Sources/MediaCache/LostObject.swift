package import Hashing

/// A picture that its container does not have any more: it was damaged and is removed, or it was gone.
package struct LostObject: Sendable, Equatable {
    package let content: ContentID
    package let container: Container
    /// The stories of that container whose manifests name it.
    package let holders: [StoredStory]
    /// False where what is damaged could not be removed, and stays.
    package let isRemoved: Bool
}
