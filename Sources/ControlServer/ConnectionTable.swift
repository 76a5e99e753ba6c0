/// The connections that are open, and which of them may stay. A pure value, owned by `Clients`.
///
/// There are limits for all and for each user; beyond them the connection that has been idle the longest goes, so that
/// nobody keeps others out by holding connections. Some places are left to privileged users.
struct ConnectionTable: Sendable {
    typealias Instant = SuspendingClock.Instant

    struct Limits: Sendable {
        var all = 400
        /// Of these, for privileged users alone.
        var reserved = 16
        var perUser = 256
        /// Until a request's head is there, counted from the end of the one before.
        var head = Duration.seconds(20)
        /// From the head to the end of the body.
        var body = Duration.seconds(30)
        /// For the reply to be taken.
        var reply = Duration.seconds(60)
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
        /// It is being closed, and has left its place.
        var isLeaving = false
    }

    private let limits: Limits
    private var entries: [Int32: Entry] = [:]

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Connections, with those that are being closed.
    var count: Int { entries.count }
    /// So many are being closed that no more are to be taken until some are.
    var isSaturated: Bool { entries.count >= 2 * limits.all }

    /// Who is at the other end.
    func peer(of socket: Int32) -> Peer? { entries[socket]?.peer }

    /// What a new connection of `peer` takes.
    enum Admission: Equatable {
        case free
        /// Another has to be closed for it.
        case closing(Int32)
        case none
    }

    /// Enters a connection where there is a place for it.
    mutating func admit(_ socket: Int32, _ peer: Peer, isPrivileged: Bool, at now: Instant) -> Admission {
        let census = census(of: peer.user, sparesPrivileged: !isPrivileged)
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
        if case .closing(let other) = admission { entries[other]?.isLeaving = true }
        entries[socket] = Entry(peer: peer, isPrivileged: isPrivileged, since: now)
        return admission
    }

    mutating func enter(_ phase: Phase, _ socket: Int32, at now: Instant) {
        entries[socket]?.phase = phase
        entries[socket]?.since = now
    }

    mutating func remove(_ socket: Int32) {
        entries[socket] = nil
    }

    /// The connections that have taken too long at something; they are to be closed.
    mutating func overdue(at now: Instant) -> [Int32] {
        let late = entries.filter { entry in
            guard !entry.value.isLeaving, let limit = limit(of: entry.value.phase) else { return false }
            return entry.value.since.duration(to: now) >= limit
        }
        for socket in late.keys { entries[socket]?.isLeaving = true }
        return Array(late.keys)
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

    /// In one pass, without copies: it is taken for each connection of a crowd.
    private func census(of user: UInt32, sparesPrivileged: Bool) -> Census {
        var census = Census()
        var (ofUser, ofAll) = (Instant?.none, Instant?.none)
        for (socket, entry) in entries where !entry.isLeaving {
            census.all += 1
            let isOfUser = entry.peer.user == user
            if isOfUser { census.ofUser += 1 }
            guard entry.phase == .idle else { continue }
            if isOfUser, ofUser.map({ entry.since < $0 }) != false {
                (ofUser, census.idleOfUser) = (entry.since, socket)
            }
            if !(sparesPrivileged && entry.isPrivileged), ofAll.map({ entry.since < $0 }) != false {
                (ofAll, census.idleOfAll) = (entry.since, socket)
            }
        }
        return census
    }
}
