import Testing

@testable import Daemon

struct WatchdogTests {
    @Test func `a sign of life is given when the last loop has answered`() {
        var watchdog = Watchdog()
        for _ in 1...3 {
            #expect(watchdog.ask() == WorkingLoop.allCases)
            for loop in WorkingLoop.allCases.dropLast() { #expect(!answered(&watchdog, loop)) }
            #expect(answered(&watchdog, .prefetcher))
            #expect(watchdog.newlySilent() == [])
        }
    }

    @Test(arguments: WorkingLoop.allCases)
    func `one that does not answer withholds it, and is named once`(stuck: WorkingLoop) {
        var watchdog = Watchdog()
        _ = watchdog.ask()
        for loop in WorkingLoop.allCases where loop != stuck { #expect(!answered(&watchdog, loop)) }
        #expect(watchdog.newlySilent() == [stuck])
        #expect(watchdog.newlySilent() == [])
        // Nobody is asked before that one has answered, so nothing can stand in for its answer.
        #expect(watchdog.ask() == [])
        for loop in WorkingLoop.allCases where loop != stuck { #expect(!answered(&watchdog, loop)) }
        // Late, but before the end.
        #expect(answered(&watchdog, stuck))
        #expect(watchdog.ask() == WorkingLoop.allCases)
        #expect(watchdog.newlySilent() == WorkingLoop.allCases)
    }

    @Test func `an answer that nobody has asked for is none`() {
        var watchdog = Watchdog()
        for loop in WorkingLoop.allCases { #expect(!answered(&watchdog, loop)) }
    }

    private func answered(_ watchdog: inout Watchdog, _ loop: WorkingLoop) -> Bool { watchdog.answered(loop) }
}
