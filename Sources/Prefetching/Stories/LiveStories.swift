import Platform
import Stories

/// The stories that something may happen to and that are in memory, and how much of that they take. A plain value, owned
/// by `Prefetcher`.
struct LiveStories: Sendable {
    private var stories: [StoryKey: LiveStory] = [:]
    /// About how many bytes they take.
    private(set) var footprint = 0
    /// In the order they came, with those that have gone meanwhile.
    private var order = FirstInFirstOut<(key: StoryKey, generation: Int)>()

    subscript(key: StoryKey) -> LiveStory? { stories[key] }

    var count: Int { stories.count }
    var isEmpty: Bool { stories.isEmpty }

    /// Puts a story in the place of the one of its key. Answers whether it is another than that one.
    mutating func update(_ story: LiveStory) -> Bool {
        let former = stories.updateValue(story, forKey: story.key)
        footprint += story.footprint - (former?.footprint ?? 0)
        if former?.generation == story.generation { return false }
        order.append((story.key, story.generation))
        return true
    }

    @discardableResult
    mutating func remove(_ key: StoryKey) -> LiveStory? {
        let former = stories.removeValue(forKey: key)
        footprint -= former?.footprint ?? 0
        return former
    }

    /// One that `isSuitable`, of a few: each call looks at others, so that a search never costs much.
    mutating func next(where isSuitable: (LiveStory) -> Bool) -> LiveStory? {
        for _ in 0..<min(order.count, 32) {
            guard let place = order.popFirst() else { return nil }
            guard let story = stories[place.key], story.generation == place.generation else { continue }
            order.append(place)
            if isSuitable(story) { return story }
        }
        return nil
    }
}
