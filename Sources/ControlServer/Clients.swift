import Glibc
import Platform

/// The connections of a server. Shared by the thread that accepts them, libmicrohttpd's thread, which tells what they
/// are at, and the tasks that work for them.
final class Clients: Sendable {
    private let table = Locked(ConnectionTable())
    /// Signalled when one has gone.
    private let gone: EventDescriptor

    init() throws(SystemError) {
        gone = try EventDescriptor()
    }

    var isSaturated: Bool { table.withLock { $0.isSaturated } }

    func peer(of socket: Int32) -> Peer? { table.withLock { $0.peer(of: socket) } }

    /// Enters a new connection; false where there is no place for it.
    func admit(_ socket: Int32, _ peer: Peer, isPrivileged: Bool) -> Bool {
        table.withLock { table in
            table.admit(socket, peer, isPrivileged: isPrivileged, at: .now, hasInput: hasInput) != .none
        }
    }

    func enter(_ phase: ConnectionTable.Phase, _ socket: Int32) {
        table.withLock { $0.enter(phase, socket, at: .now) }
    }

    /// The connection is about to be closed. Call it before that: afterwards another may have its number.
    func remove(_ socket: Int32) {
        table.withLock { $0.remove(socket) }
        gone.signal()
    }

    /// Ends those that have taken too long, and those whose place another has. Answers when to call it again, if there
    /// are more to come.
    func endOverdue() -> Duration? {
        table.withLock { table in
            for socket in table.overdue(at: .now, hasInput: hasInput) { end(socket) }
            return table.hasLeaving ? ConnectionTable.grace : nil
        }
    }

    /// FIONREAD of ioctl_tty(2), for sockets as well: the bytes that wait to be read. Only within the lock, as `end`.
    private func hasInput(_ socket: Int32) -> Bool {
        var waiting: Int32 = 0
        return ioctl(socket, UInt(FIONREAD), &waiting) == 0 && waiting > 0
    }

    /// Waits until one has gone, or for `time`.
    func waitForOneToGo(atMost time: Duration) {
        var entry = pollfd(fd: gone.descriptor.raw, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32(time / .milliseconds(1)))
        gone.clear()
    }

    /// Only within the lock: while the table has the number, nobody has closed it. libmicrohttpd sees the end, and
    /// closes it.
    private func end(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
