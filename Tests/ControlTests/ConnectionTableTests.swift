import Testing

@testable import ControlServer

@Suite struct ConnectionTableTests {
    private let start = ConnectionTable.Instant.now
    private let limits: ConnectionTable.Limits = {
        var limits = ConnectionTable.Limits()
        (limits.all, limits.reserved, limits.perUser) = (6, 2, 3)
        return limits
    }()

    private func peer(_ user: UInt32) -> Peer { Peer(user: user, groups: []) }

    /// Admits that many idle connections of a user, one second after the other.
    private func fill(_ table: inout ConnectionTable, _ sockets: ClosedRange<Int32>, user: UInt32) {
        for socket in sockets {
            let admission = table.admit(
                socket, peer(user), isPrivileged: user == 0, at: start + .seconds(Int(socket)))
            #expect(admission == .free)
        }
    }

    @Test func `a user who has too many loses the one that has been idle the longest`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...3, user: 7)
        table.enter(.working, 1, at: start + .seconds(4))
        #expect(table.admit(9, peer(7), isPrivileged: false, at: start + .seconds(5)) == .closing(2))
        #expect(table.admit(10, peer(7), isPrivileged: false, at: start + .seconds(6)) == .closing(3))
        table.enter(.replying, 9, at: start)
        table.enter(.receiving, 10, at: start)
        #expect(table.admit(11, peer(7), isPrivileged: false, at: start) == .none, "none of them is idle")
        #expect(table.admit(12, peer(8), isPrivileged: false, at: start) == .free)
    }

    @Test func `places are kept for the privileged, who take others' where there are none`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...2, user: 7)
        fill(&table, 3...4, user: 8)
        #expect(table.admit(5, peer(9), isPrivileged: false, at: start + .seconds(9)) == .closing(1))
        fill(&table, 6...7, user: 0)
        #expect(table.admit(8, peer(0), isPrivileged: true, at: start + .seconds(9)) == .closing(2))
        // Nobody takes a place of the privileged.
        for socket in [Int32(3), 4, 5] { table.enter(.working, socket, at: start) }
        #expect(table.admit(9, peer(9), isPrivileged: false, at: start + .seconds(9)) == .none)
    }

    @Test func `what is being closed has left its place, and too much of it stops the intake`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...3, user: 7)
        for socket in Int32(4)...12 {
            #expect(!table.isSaturated)
            _ = table.admit(socket, peer(7), isPrivileged: false, at: start + .seconds(Int(socket)))
        }
        #expect(table.count == 12 && table.isSaturated)
        table.remove(1)
        #expect(!table.isSaturated && table.peer(of: 1) == nil && table.peer(of: 2) == peer(7))
    }

    @Test func `each phase has its time, and the daemon's work has all`() {
        var table = ConnectionTable(limits: ConnectionTable.Limits())
        for socket in Int32(1)...4 { _ = table.admit(socket, peer(1), isPrivileged: false, at: start) }
        table.enter(.receiving, 2, at: start)
        table.enter(.working, 3, at: start)
        table.enter(.replying, 4, at: start)
        #expect(table.overdue(at: start + .seconds(19)) == [])
        #expect(table.overdue(at: start + .seconds(20)) == [1])
        #expect(table.overdue(at: start + .seconds(30)) == [2])
        #expect(table.overdue(at: start + .seconds(60)) == [4])
        #expect(table.overdue(at: start + .seconds(3600)) == [])
    }
}
