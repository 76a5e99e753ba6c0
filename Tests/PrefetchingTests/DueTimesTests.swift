import TestSupport
import Testing

@testable import Prefetching

@Suite struct `Things that fall due` {
    private let start = SuspendingClock.now

    @Test(arguments: 0..<20) func `come out in the order of their times, whatever the order they came in`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var due = DueTimes<Int>()
        var sorted: [(time: Int, element: Int)] = []
        for element in 0..<400 {
            let time = Int.random(in: 0..<60, using: &random)
            due.append(element, due: start.advanced(by: .seconds(time)))
            sorted.append((time, element))
            if Int.random(in: 0..<3, using: &random) == 0 {
                let now = Int.random(in: 0..<60, using: &random)
                sorted.sort { $0.time < $1.time }
                let expected = sorted.first.flatMap { $0.time <= now ? $0.time : nil }
                let popped = due.popDue(start.advanced(by: .seconds(now)))
                #expect(popped.map { start.duration(to: $0.due) } == expected.map { .seconds($0) })
                if let popped { sorted.removeAll { $0.element == popped.element } }
            }
            #expect(due.next.map { start.duration(to: $0) } == sorted.map(\.time).min().map { .seconds($0) })
        }
    }

    @Test func `nothing comes out before its time`() {
        var due = DueTimes<String>()
        due.append("later", due: start.advanced(by: .seconds(2)))
        #expect(due.popDue(start.advanced(by: .seconds(1))) == nil)
        #expect(due.popDue(start.advanced(by: .seconds(2)))?.element == "later")
        #expect(due.next == nil)
    }
}
