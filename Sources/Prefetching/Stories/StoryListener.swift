/// Who hears of what happens to stories. Its closures are called on the prefetcher, in the order of what they tell, and
/// must not wait.
package struct StoryListener: Sendable {
    /// Whether anybody would hear it: what is only told is not even made where nobody does.
    package let isListening: @Sendable () -> Bool
    package let tell: @Sendable (StoryEvent) -> Void

    package init(isListening: @escaping @Sendable () -> Bool, tell: @escaping @Sendable (StoryEvent) -> Void) {
        self.isListening = isListening
        self.tell = tell
    }

    /// Nobody.
    package static let none = StoryListener(isListening: { false }, tell: { _ in })
}
