import Testing

@testable import Inbox

struct SweepTests {
    /// All passes of one sweep over `numbers`.
    private func passes(_ sweep: inout Sweep<Int>, _ numbers: [Int]) -> [[Int]] {
        var passes: [[Int]] = []
        repeat {
            var pass = sweep.beginPass()
            for number in numbers { pass.add(number) }
            passes.append(sweep.end(pass))
        } while sweep.isUnderWay
        return passes
    }

    @Test("passes give all elements once and in order, whatever order they are shown in", arguments: 0..<20)
    func order(_ round: Int) {
        var sweep = Sweep<Int>(limit: 7)
        let numbers = Array(0..<(round * 5)).shuffled()
        let passes = passes(&sweep, numbers)
        #expect(passes.allSatisfy { $0.count <= 7 })
        #expect(passes.flatMap(\.self) == numbers.sorted())
        #expect(sweep.beyond == 0)
    }

    @Test("a pass counts what it leaves to the next ones")
    func beyond() {
        var sweep = Sweep<Int>(limit: 10)
        var pass = sweep.beginPass()
        for number in (0..<1000).reversed() { pass.add(number) }
        #expect(sweep.end(pass) == Array(0..<10))
        #expect(sweep.beyond == 990)
        #expect(sweep.isUnderWay)
    }

    @Test("elements that stay are not met twice in a sweep, and again in the next")
    func stay() {
        var sweep = Sweep<Int>(limit: 2)
        sweep.want()
        #expect(sweep.needsPass)
        #expect(passes(&sweep, [3, 1, 2]) == [[1, 2], [3]])
        #expect(!sweep.needsPass)
        sweep.want()
        #expect(passes(&sweep, [3, 1, 2]) == [[1, 2], [3]])
        #expect(sweep.begun == 2)
    }

    @Test("a sweep wanted during another begins after it")
    func wanted() {
        var sweep = Sweep<Int>(limit: 1)
        var pass = sweep.beginPass()
        [1, 2].forEach { pass.add($0) }
        _ = sweep.end(pass)
        sweep.want()
        pass = sweep.beginPass()
        [0, 2].forEach { pass.add($0) }
        #expect(sweep.end(pass) == [2])
        #expect(!sweep.isUnderWay)
        #expect(sweep.needsPass)
        pass = sweep.beginPass()
        pass.add(0)
        #expect(sweep.end(pass) == [0])
    }
}
