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
        var leaving = 64
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

    private struct Entry {
        let peer: Peer
        let isPrivileged: Bool
        var phase = Phase.idle
        var since: Instant
        /// Its place is another's; it is to be closed then.
        var leavesAt: Instant?
        /// It is being closed.
        var isEnded = false

        var isLeaving: Bool { isEnded || leavesAt != nil }
    }

    /// How long one that is to leave has: a request that was read when it was chosen comes to be known meanwhile, and
    /// it stays.
    static let grace = Duration.milliseconds(20)

    private let limits: Limits
    private var entries: [Int32: Entry] = [:]

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether some are to leave whose time has not come.
    var hasLeaving: Bool { entries.values.contains { !$0.isEnded && $0.leavesAt != nil } }
    /// Connections, with those that are being closed.
    var count: Int { entries.count }
    /// So many are being closed that no more are to be taken until some are.
    var isSaturated: Bool { entries.count >= limits.all + limits.leaving }

    /// Who is at the other end.
    func peer(of socket: Int32) -> Peer? { entries[socket]?.peer }

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
        let census = census(of: peer.user, sparesPrivileged: !isPrivileged, hasInput)
        let free = limits.all - census.all
        let admission: Admission
        if census.ofUser >= limits.perUser {
            admission = census.idleOfUser.map { .closing($0) } ?? .none
        } else if free > (isPrivileged ? 0 : limits.reserved) {
            admission = .free
        } else {
            admission = census.idleOfAll.map { .closing($0) } ?? .none
        }
        if admission == .none { return .none }
        if case .closing(let other) = admission { entries[other]?.leavesAt = now.advanced(by: Self.grace) }
        entries[socket] = Entry(peer: peer, isPrivileged: isPrivileged, since: now)
        return admission
    }

    mutating func enter(_ phase: Phase, _ socket: Int32, at now: Instant) {
        entries[socket]?.phase = phase
        entries[socket]?.since = now
        if phase != .idle { entries[socket]?.leavesAt = nil }
    }

    mutating func remove(_ socket: Int32) {
        entries[socket] = nil
    }

    /// The connections that have taken too long at something, or whose place is another's; they are to be closed.
    mutating func overdue(at now: Instant, hasInput: (Int32) -> Bool) -> [Int32] {
        var late: [Int32] = []
        for (socket, entry) in entries where !entry.isEnded {
            if let end = entry.leavesAt {
                guard end <= now else { continue }
                guard !hasInput(socket) else {
                    entries[socket]?.leavesAt = nil
                    continue
                }
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

    private struct Census {
        var all = 0
        var ofUser = 0
        /// The ones that have been idle the longest: of the user, and of all that may go.
        var idleOfUser: Int32?
        var idleOfAll: Int32?
    }

    /// In one pass, without copies: it is taken for each connection of a crowd. `hasInput`, a call of the kernel, is
    /// asked last, and so of few.
    private func census(of user: UInt32, sparesPrivileged: Bool, _ hasInput: (Int32) -> Bool) -> Census {
        var census = Census()
        var (ofUser, ofAll) = (Instant?.none, Instant?.none)
        for (socket, entry) in entries where !entry.isLeaving {
            census.all += 1
            let isOfUser = entry.peer.user == user
            if isOfUser { census.ofUser += 1 }
            guard entry.phase == .idle else { continue }
            let isForUser = isOfUser && ofUser.map { entry.since < $0 } != false
            let isForAll = !(sparesPrivileged && entry.isPrivileged) && ofAll.map { entry.since < $0 } != false
            guard isForUser || isForAll, !hasInput(socket) else { continue }
            if isForUser { (ofUser, census.idleOfUser) = (entry.since, socket) }
            if isForAll { (ofAll, census.idleOfAll) = (entry.since, socket) }
        }
        return census
    }
}
