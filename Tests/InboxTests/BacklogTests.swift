import Testing

@testable import Inbox

struct BacklogTests {
    private let start = SuspendingClock().now

    private func sweep(_ backlog: inout Backlog, _ names: [String]) {
        var pass = backlog.beginPass()
        for name in names { pass.add(FileName(name)) }
        backlog.end(pass)
    }

    private func drain(_ backlog: inout Backlog) -> [String] {
        var names: [String] = []
        while let name = backlog.next() { names.append(name.text) }
        return names
    }

    @Test("claims of an earlier run come first, in the order of their names")
    func first() {
        var backlog = Backlog(limit: 2)
        #expect(backlog.isFirstSweep)
        #expect(backlog.needsPass(at: start) == true)
        sweep(&backlog, ["c", "a", "b"])
        #expect(backlog.pending == 3)
        #expect(drain(&backlog) == ["a", "b"])
        #expect(backlog.isFirstSweep)
        #expect(backlog.needsPass(at: start) == true)
        sweep(&backlog, ["c"])
        #expect(drain(&backlog) == ["c"])
        #expect(!backlog.isFirstSweep)
        #expect(backlog.needsPass(at: start) == false)
        #expect(backlog.pending == 0)
    }

    @Test("what was put back is offered again after 5 s, then ever later, to a minute")
    func delays() {
        var backlog = Backlog()
        sweep(&backlog, [])
        var now = start
        var delays: [Duration] = []
        for _ in 0..<6 {
            backlog.putBack(at: now)
            backlog.putBack(at: now)
            guard let due = backlog.due else { break }
            delays.append(now.duration(to: due))
            #expect(backlog.needsPass(at: now) == false)
            #expect(backlog.pending == 2)
            now = due
            #expect(backlog.needsPass(at: now) == true)
            sweep(&backlog, ["a", "b"])
            #expect(drain(&backlog) == ["a", "b"])
        }
        #expect(delays == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
        #expect(backlog.due == nil)

        backlog.putBack(at: now.advanced(by: .seconds(100)))
        #expect(backlog.due == now.advanced(by: .seconds(105)), "after a quiet time it begins anew")
    }

    @Test("a rescan offers at once what was put back, and what could not be read")
    func rescan() {
        var backlog = Backlog()
        sweep(&backlog, [])
        backlog.putBack(at: start)
        backlog.rest()
        #expect(backlog.pending == 2)
        backlog.wantSweep()
        #expect(backlog.needsPass(at: start) == true)
        sweep(&backlog, ["a", "b"])
        #expect(backlog.pending == 2)
        #expect(drain(&backlog) == ["a", "b"])
        #expect(backlog.pending == 0)
    }
}
