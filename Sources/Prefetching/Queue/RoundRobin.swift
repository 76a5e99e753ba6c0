import Platform
/// Queues that take turns: one element of a group, then one of the next group, each group in its own order. So a story
/// of a hundred pages does not keep a story of two waiting.
struct RoundRobin<Group: Hashable & Sendable, Element: Sendable>: Sendable {
    private var queues: [Group: FirstInFirstOut<Element>] = [:]
    private var turns = FirstInFirstOut<Group>()

    var isEmpty: Bool { turns.isEmpty }

    mutating func append(_ element: Element, of group: Group) {
        if queues[group] == nil { turns.append(group) }
        queues[group, default: FirstInFirstOut()].append(element)
    }

    mutating func popFirst() -> Element? {
        guard let group = turns.popFirst(), let element = queues[group]?.popFirst() else { return nil }
        if queues[group]?.isEmpty == true {
            queues[group] = nil
        } else {
            turns.append(group)
        }
        return element
    }
}
