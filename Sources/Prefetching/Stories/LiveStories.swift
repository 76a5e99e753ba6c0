import Stories

/// The stories that something may happen to and that are in memory, and how much of that they take. A plain value, owned
/// by `Prefetcher`.
struct LiveStories: Sendable {
    private var stories: [StoryKey: LiveStory] = [:]
    /// About how many bytes they take.
    private(set) var footprint = 0

    subscript(key: StoryKey) -> LiveStory? { stories[key] }

    var count: Int { stories.count }
    var isEmpty: Bool { stories.isEmpty }

    /// Puts a story in the place of the one of its key. Answers whether it is another than that one.
    mutating func update(_ story: LiveStory) -> Bool {
        let former = stories.updateValue(story, forKey: story.key)
        footprint += story.footprint - (former?.footprint ?? 0)
        return former?.generation != story.generation
    }

    @discardableResult
    mutating func remove(_ key: StoryKey) -> LiveStory? {
        let former = stories.removeValue(forKey: key)
        footprint -= former?.footprint ?? 0
        return former
    }
}
