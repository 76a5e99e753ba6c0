import Platform
import Stories

/// Who is at work at what, and who waits for that, in the order in which they came. A plain value, owned by
/// `Prefetcher`, which lets each of them wait.
struct Turns: Sendable {
    /// What is done by one at a time.
    enum Place: Hashable, Sendable {
        /// The manifest of a story on disk.
        case story(StoryKey)
        /// Making room: what one has made must not be missed by another, who would make as much again.
        case room
    }

    typealias Waiter = CheckedContinuation<Void, Never>

    private var waiting: [Place: FirstInFirstOut<Waiter>] = [:]

    /// Whether nobody is at work at anything.
    var isEmpty: Bool { waiting.isEmpty }

    /// A story that somebody is at work at; nil where there is none.
    var story: StoryKey? {
        waiting.keys.lazy.compactMap { if case .story(let key) = $0 { key } else { nil } }.first
    }

    func isTaken(_ place: Place) -> Bool { waiting[place] != nil }

    /// How many wait for it.
    func waiters(for place: Place) -> Int { waiting[place]?.count ?? 0 }

    /// Takes a place that is free; false where it is not.
    mutating func take(_ place: Place) -> Bool {
        if isTaken(place) { return false }
        waiting[place] = FirstInFirstOut()
        return true
    }

    /// Puts the waiter at the end of the queue for a place that is taken.
    mutating func wait(for place: Place, _ waiter: Waiter) {
        waiting[place, default: FirstInFirstOut()].append(waiter)
    }

    /// Answers who has the place from here on; nil where it is free.
    mutating func end(_ place: Place) -> Waiter? {
        if let next = waiting[place]?.popFirst() { return next }
        waiting[place] = nil
        return nil
    }
}
