import Testing

@testable import Prefetching

@Suite struct `The effort to make room` {
    @Test func `ends after a few rounds`() {
        var effort = RoomEffort()
        for round in 0..<8 {
            #expect(effort.goesOn, "\(round)")
            effort.note(removed: 1000, free: round.isMultiple(of: 2) ? nil : (before: 0, after: 900))
        }
        #expect(!effort.goesOn)
    }

    @Test func `ends when what is removed does not become free`() {
        var effort = RoomEffort()
        effort.note(removed: 1000, free: (before: 5000, after: 5000))
        #expect(effort.goesOn, "once may be chance")
        effort.note(removed: 1000, free: (before: 5000, after: 6000))
        #expect(effort.goesOn)
        effort.note(removed: 1000, free: (before: 5000, after: 5400))
        #expect(!effort.goesOn)
    }
}
