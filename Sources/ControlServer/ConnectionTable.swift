/// The connections that are open, and which of them may stay. A pure value, owned by `Clients`.
///
/// There are limits for all and for each user; beyond them the connection that has been idle the longest goes, so that
/// nobody keeps others out by holding connections. One that has sent what is not read yet is not idle: none loses a
/// request to a crowd. Some places are left to privileged users.
struct ConnectionTable: Sendable {
    typealias Instant = SuspendingClock.Instant

    struct Limits: Sendable {
        /// Each may hold the memory that libmicrohttpd gives to a connection.
        var all = 300
        /// Of these, for privileged users alone.
        var reserved = 16
        var perUser = 192
        /// Until a request's head is there, counted from the end of the one before.
        var head = Duration.seconds(20)
        /// From the head to the end of the body.
        var body = Duration.seconds(30)
        /// For the reply to be taken.
        var reply = Duration.seconds(60)
        /// So many may be on their way out, beside those that have a place.
        var leaving = 128
        /// So many may stay beyond `all` which were chosen to leave, and had just asked for something.
        var spare = 16
    }

    /// What a connection is at.
    enum Phase: Sendable {
        /// Between requests, or in the head of one.
        case idle
        case receiving
        /// The daemon works for it, or feeds it: for as long as that takes.
        case working
        case replying
    }

    /// Plain numbers: they are gone through for each connection of a crowd.
    private struct Entry {
        let user: UInt32
        let isPrivileged: Bool
        var phase = Phase.idle
        var since: Instant
        /// Its place is another's; it is to be closed then.
        var leavesAt: Instant?
        /// Where it has sent something by then, it stays.
        var mayStay = true
        /// It is being closed.
        var isEnded = false

        var isLeaving: Bool { isEnded || leavesAt != nil }
    }

    /// How long one that is to leave has: a request that was read when it was chosen comes to be known meanwhile, and
    /// it stays.
    static let grace = Duration.milliseconds(10)

    private let limits: Limits
    private var entries: [Int32: Entry] = [:]
    private var peers: [Int32: Peer] = [:]

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether some are to leave whose time has not come.
    var hasLeaving: Bool { entries.values.contains { !$0.isEnded && $0.leavesAt != nil } }
    /// Connections, with those that are being closed.
    var count: Int { entries.count }
    /// So many are being closed that no more are to be taken until some are.
    var isSaturated: Bool { entries.values.count(where: \.isLeaving) >= limits.leaving }

    /// Who is at the other end.
    func peer(of socket: Int32) -> Peer? { peers[socket] }

    /// What a new connection of `peer` takes.
    enum Admission: Equatable {
        case free
        /// Another leaves for it.
        case closing(Int32)
        case none
    }

    /// Enters a connection where there is a place for it. `hasInput`: whether a connection has sent what was not read
    /// yet.
    mutating func admit(
        _ socket: Int32, _ peer: Peer, isPrivileged: Bool, at now: Instant, hasInput: (Int32) -> Bool
    ) -> Admission {
        var (ofAll, ofUser) = (0, 0)
        for entry in entries.values where !entry.isLeaving {
            ofAll += 1
            if entry.user == peer.user { ofUser += 1 }
        }
        var leaving: Int32?
        if ofUser >= limits.perUser {
            leaving = longestIdle(hasInput: hasInput) { $0.user == peer.user }
            if leaving == nil { return .none }
        } else if limits.all - ofAll <= (isPrivileged ? 0 : limits.reserved) {
            func mayGo(_ entry: Entry) -> Bool { isPrivileged || !entry.isPrivileged }
            leaving =
                longestIdle(hasInput: hasInput, where: mayGo) ?? longestIdleOfMany(moreThan: ofUser + 1, where: mayGo)
            if leaving == nil { return .none }
        }
        entries[socket] = Entry(user: peer.user, isPrivileged: isPrivileged, since: now)
        peers[socket] = peer
        guard let leaving else { return .free }
        let mayStay = !hasInput(leaving)
        entries[leaving]?.leavesAt = mayStay ? now.advanced(by: Self.grace) : now
        entries[leaving]?.mayStay = mayStay
        return .closing(leaving)
    }

    mutating func enter(_ phase: Phase, _ socket: Int32, at now: Instant) {
        entries[socket]?.phase = phase
        entries[socket]?.since = now
        if phase != .idle { stay(socket) }
    }

    /// Lets one that is to leave stay, as far as there is room for such.
    private mutating func stay(_ socket: Int32) {
        guard entries[socket]?.leavesAt != nil else { return }
        if entries.values.count(where: { !$0.isLeaving }) < limits.all + limits.spare {
            entries[socket]?.leavesAt = nil
        }
    }

    mutating func remove(_ socket: Int32) {
        entries[socket] = nil
        peers[socket] = nil
    }

    /// The connections that have taken too long at something, or whose place is another's; they are to be closed.
    mutating func overdue(at now: Instant, hasInput: (Int32) -> Bool) -> [Int32] {
        var late: [Int32] = []
        for (socket, entry) in entries where !entry.isEnded {
            if let end = entry.leavesAt {
                guard end <= now else { continue }
                if entry.mayStay, hasInput(socket) { stay(socket) }
                guard entries[socket]?.leavesAt != nil else { continue }
            } else {
                guard let limit = limit(of: entry.phase), entry.since.duration(to: now) >= limit else { continue }
            }
            late.append(socket)
            entries[socket]?.isEnded = true
        }
        return late
    }

    private func limit(of phase: Phase) -> Duration? {
        switch phase {
        case .idle: limits.head
        case .receiving: limits.body
        case .working: nil
        case .replying: limits.reply
        }
    }

    /// Of those that stay and may go, the one that has been idle the longest, and has sent nothing. Only a few are asked
    /// for that, which is a call of the kernel: in a crowd all may have.
    private func longestIdle(hasInput: (Int32) -> Bool, where mayGo: (Entry) -> Bool) -> Int32? {
        var idle: [(socket: Int32, since: Instant)] = []
        for (socket, entry) in entries where !entry.isLeaving && entry.phase == .idle && mayGo(entry) {
            idle.append((socket, entry.since))
        }
        for _ in 0..<8 {
            guard let index = idle.indices.min(by: { idle[$0].since < idle[$1].since }) else { return nil }
            if !hasInput(idle[index].socket) { return idle[index].socket }
            idle.swapAt(index, idle.count - 1)
            idle.removeLast()
        }
        return nil
    }

    /// Where each has sent something: the same of the user who has the most, and more than `count`. So the crowd of one
    /// keeps no other user out.
    private func longestIdleOfMany(moreThan count: Int, where mayGo: (Entry) -> Bool) -> Int32? {
        var counts: [UInt32: Int] = [:]
        for entry in entries.values where !entry.isLeaving && mayGo(entry) { counts[entry.user, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }), most.value > count else { return nil }
        return longestIdle(hasInput: { _ in false }) { $0.user == most.key && mayGo($0) }
    }
}
