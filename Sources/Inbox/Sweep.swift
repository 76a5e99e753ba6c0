/// A walk through a directory of any size in bounded memory: pass after pass, each of which keeps the next few
/// elements in order. Elements that could not be dealt with are passed over until the next sweep, so they never hold
/// up what sorts after them. A pure value.
struct Sweep<Element: Comparable & Sendable>: Sendable {
    /// The next elements in order, chosen while all are shown to it.
    struct Pass: Sendable {
        fileprivate let limit: Int
        fileprivate let cursor: Element?
        private var kept: [Element] = []
        private var last: Element?
        /// How many elements that sort after those kept were shown.
        fileprivate private(set) var beyond = 0

        fileprivate init(limit: Int, cursor: Element?) {
            self.limit = limit
            self.cursor = cursor
        }

        /// Shows it one element; of those behind the cursor the least `limit` are kept.
        mutating func add(_ element: Element) {
            if let cursor, element <= cursor { return }
            if let last, element > last {
                beyond += 1
                return
            }
            kept.append(element)
            // Sorting at twice the limit costs less than keeping order at each step, and bounds memory as well.
            if kept.count >= 2 * limit { trim() }
        }

        fileprivate mutating func finish() -> [Element] {
            trim()
            return kept
        }

        private mutating func trim() {
            kept.sort()
            guard kept.count > limit else { return }
            beyond += kept.count - limit
            kept.removeLast(kept.count - limit)
            last = kept.last
        }
    }

    /// A sweep is to begin, after the one under way.
    private(set) var isWanted = false
    /// A sweep has begun and needs another pass.
    private(set) var isUnderWay = false
    /// How many have begun.
    private(set) var begun = 0
    /// How many elements the last pass left to the next ones.
    private(set) var beyond = 0

    private let limit: Int
    private var cursor: Element?

    /// `limit` elements are kept by each pass.
    init(limit: Int) {
        self.limit = limit
    }

    /// A pass can be made now.
    var needsPass: Bool { isUnderWay || isWanted }

    /// Asks for a sweep from the start.
    mutating func want() {
        isWanted = true
    }

    /// Begins the next pass, of a new sweep where none is under way.
    mutating func beginPass() -> Pass {
        if !isUnderWay {
            isUnderWay = true
            isWanted = false
            cursor = nil
            begun += 1
        }
        return Pass(limit: limit, cursor: cursor)
    }

    /// Ends the pass and gives what it kept, in order. `isUnderWay` is false from now on where it saw the end.
    mutating func end(_ pass: consuming Pass) -> [Element] {
        let elements = pass.finish()
        beyond = pass.beyond
        cursor = elements.last ?? cursor
        isUnderWay = beyond > 0
        return elements
    }
}
