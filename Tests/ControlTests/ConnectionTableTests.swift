import Testing

@testable import ControlServer

@Suite struct ConnectionTableTests {
    private let start = ConnectionTable.Instant.now
    private let limits: ConnectionTable.Limits = {
        var limits = ConnectionTable.Limits()
        (limits.all, limits.reserved, limits.perUser, limits.leaving) = (6, 2, 3, 6)
        return limits
    }()

    private func peer(_ user: UInt32) -> Peer { Peer(user: user, groups: []) }

    private func admit(
        _ table: inout ConnectionTable, _ socket: Int32, _ peer: Peer, isPrivileged: Bool,
        at now: ConnectionTable.Instant, withInput: Set<Int32> = []
    ) -> ConnectionTable.Admission {
        table.admit(socket, peer, isPrivileged: isPrivileged, at: now) { withInput.contains($0) }
    }

    private func overdue(
        _ table: inout ConnectionTable, at now: ConnectionTable.Instant, withInput: Set<Int32> = []
    ) -> [Int32] {
        table.overdue(at: now) { withInput.contains($0) }
    }

    /// Admits that many idle connections of a user, one second after the other.
    private func fill(_ table: inout ConnectionTable, _ sockets: ClosedRange<Int32>, user: UInt32) {
        for socket in sockets {
            let admission = admit(
                &table, socket, peer(user), isPrivileged: user == 0, at: start + .seconds(Int(socket)))
            #expect(admission == .free)
        }
    }

    @Test func `a user who has too many loses the one that has been idle the longest`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...3, user: 7)
        table.enter(.working, 1, at: start + .seconds(4))
        #expect(admit(&table, 9, peer(7), isPrivileged: false, at: start + .seconds(5)) == .closing(2))
        #expect(admit(&table, 10, peer(7), isPrivileged: false, at: start + .seconds(6)) == .closing(3))
        table.enter(.replying, 9, at: start)
        table.enter(.receiving, 10, at: start)
        #expect(admit(&table, 11, peer(7), isPrivileged: false, at: start) == .none, "none of them is idle")
        #expect(admit(&table, 12, peer(8), isPrivileged: false, at: start) == .free)
    }

    @Test func `one that has sent what is not read yet keeps its place`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...3, user: 7)
        let now = start + .seconds(9)
        #expect(admit(&table, 9, peer(7), isPrivileged: false, at: now, withInput: [1, 3]) == .closing(2))
        #expect(admit(&table, 10, peer(7), isPrivileged: false, at: now, withInput: [1, 3, 9]) == .none)
        fill(&table, 4...4, user: 8)
        #expect(admit(&table, 11, peer(6), isPrivileged: false, at: now, withInput: [1, 3]) == .closing(4))
        // But nobody is kept out by the many of another, who gives way whatever was sent.
        #expect(admit(&table, 12, peer(5), isPrivileged: false, at: now, withInput: [1, 3, 9, 11]) == .closing(1))
        #expect(overdue(&table, at: now + ConnectionTable.grace, withInput: [1]).contains(1))
        table.enter(.working, 3, at: now)
        #expect(admit(&table, 13, peer(4), isPrivileged: false, at: now, withInput: [9, 11, 12]) == .closing(9))
        #expect(admit(&table, 14, peer(3), isPrivileged: false, at: now, withInput: [11, 12, 13]) == .none)
    }

    @Test func `one that is to leave has a moment, and stays where it has asked for something`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...3, user: 7)
        let now = start + .seconds(9)
        for (socket, other) in zip(Int32(4)...6, Int32(1)...3) {
            #expect(admit(&table, socket, peer(7), isPrivileged: false, at: now) == .closing(other))
        }
        table.enter(.receiving, 1, at: now)
        #expect(overdue(&table, at: now) == [] && table.hasLeaving)
        #expect(overdue(&table, at: now + ConnectionTable.grace, withInput: [2]) == [3])
        #expect(!table.hasLeaving && overdue(&table, at: now + .seconds(5)) == [])
        // They have their places again, and go in their turn; in the end there is no room for more of them.
        table.enter(.idle, 1, at: now + .seconds(1))
        #expect(admit(&table, 7, peer(7), isPrivileged: false, at: now + .seconds(2)) == .closing(2))
    }

    @Test func `places are kept for the privileged, who take others' where there are none`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...2, user: 7)
        fill(&table, 3...4, user: 8)
        #expect(admit(&table, 5, peer(9), isPrivileged: false, at: start + .seconds(9)) == .closing(1))
        fill(&table, 6...7, user: 0)
        #expect(admit(&table, 8, peer(0), isPrivileged: true, at: start + .seconds(9)) == .closing(2))
        // Nobody takes a place of the privileged.
        for socket in [Int32(3), 4, 5] { table.enter(.working, socket, at: start) }
        #expect(admit(&table, 9, peer(9), isPrivileged: false, at: start + .seconds(9)) == .none)
    }

    @Test func `what is being closed has left its place, and too much of it stops the intake`() {
        var table = ConnectionTable(limits: limits)
        fill(&table, 1...3, user: 7)
        for socket in Int32(4)...9 {
            #expect(!table.isSaturated)
            _ = admit(&table, socket, peer(7), isPrivileged: false, at: start + .seconds(Int(socket)))
        }
        #expect(table.count == 9 && table.isSaturated)
        table.remove(1)
        #expect(!table.isSaturated && table.peer(of: 1) == nil && table.peer(of: 2) == peer(7))
    }

    @Test func `each phase has its time, and the daemon's work has all`() {
        var table = ConnectionTable(limits: ConnectionTable.Limits())
        for socket in Int32(1)...4 { _ = admit(&table, socket, peer(1), isPrivileged: false, at: start) }
        table.enter(.receiving, 2, at: start)
        table.enter(.working, 3, at: start)
        table.enter(.replying, 4, at: start)
        #expect(overdue(&table, at: start + .seconds(19)) == [])
        #expect(overdue(&table, at: start + .seconds(20)) == [1])
        #expect(overdue(&table, at: start + .seconds(30)) == [2])
        #expect(overdue(&table, at: start + .seconds(60)) == [4])
        #expect(overdue(&table, at: start + .seconds(3600)) == [])
    }
}
