/// Things that fall due, the earliest first: a binary heap. What is no longer wanted is left in it and passed over by
/// the caller when it comes up.
struct DueTimes<Element: Sendable>: Sendable {
    typealias Instant = SuspendingClock.Instant

    private var heap: [(due: Instant, element: Element)] = []

    /// When the next one falls due.
    var next: Instant? { heap.first?.due }

    mutating func append(_ element: Element, due: Instant) {
        heap.append((due, element))
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the earliest that is due at `now`.
    mutating func popDue(_ now: Instant) -> (due: Instant, element: Element)? {
        guard let first = heap.first, first.due <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].due < heap[$1].due }), heap[least].due < heap[parent].due
            else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
