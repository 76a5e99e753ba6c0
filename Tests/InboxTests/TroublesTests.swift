import Testing

@testable import Inbox

struct TroublesTests {
    @Test("a trouble is news once, and forgotten when a sweep does not meet it")
    func once() {
        var troubles = Troubles()
        #expect(troubles.add("a", "closed") == true)
        #expect(troubles.add("a", "closed") == false)
        troubles.beginSweep()
        #expect(troubles.add("a", "closed still") == false)
        #expect(troubles.messages == ["closed still"])
        troubles.beginSweep()
        troubles.beginSweep()
        #expect(troubles.messages == [])
        #expect(troubles.add("a", "closed again") == true)
    }

    @Test("a trouble that is forgotten and met again is no news")
    func forgotten() {
        var troubles = Troubles()
        _ = troubles.add("a", "closed")
        #expect(troubles.isKnown("a"))
        troubles.forget("a")
        #expect(!troubles.isKnown("a"))
        #expect(troubles.messages == [])
        #expect(troubles.add("a", "closed") == false)
        #expect(troubles.messages == ["closed"])
    }

    @Test("a hundred stand for all")
    func bounded() {
        var troubles = Troubles()
        for number in 0..<1000 { _ = troubles.add("\(number)", "no") }
        #expect(troubles.messages.count == 100)
    }
}
