package import Stories

/// A story that has a manifest on disk, and where.
package struct StoredStory: Sendable, Hashable {
    package let id: StoryID
    package let container: Container

    package init(id: StoryID, container: Container) {
        self.id = id
        self.container = container
    }
}
