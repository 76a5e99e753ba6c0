import CLinux
import ControlAPI
import Glibc
import JSON
import Platform

/// Takes connections from a socket that listens, on a thread of its own, asks the kernel who they are, and hands those
/// that have a place to libmicrohttpd. (Its own loop knows no users, and at its limit lets clients hang.)
final class AcceptLoop: Sendable {
    private let listening: Descriptor
    private let clients: Clients
    private let isPrivileged: @Sendable (Peer) -> Bool
    private let hand: @Sendable (Int32) -> Bool
    private let lookAround: @Sendable () -> Duration?
    private let stopping: EventDescriptor
    private let ended: EventDescriptor

    /// How often connections are looked at, at least.
    private static let lookAroundInterval = Duration.seconds(2)

    /// Starts the thread. `hand` gives a connection away; it takes over the descriptor, also where it returns false.
    /// `lookAround` is called every few seconds, or after as long as it answers.
    init(
        listening: Descriptor, clients: Clients, isPrivileged: @escaping @Sendable (Peer) -> Bool,
        hand: @escaping @Sendable (Int32) -> Bool, lookAround: @escaping @Sendable () -> Duration?
    ) throws(SystemError) {
        self.listening = listening
        self.clients = clients
        self.isPrivileged = isPrivileged
        self.hand = hand
        self.lookAround = lookAround
        stopping = try EventDescriptor()
        ended = try EventDescriptor()
        let thread = try Thread(name: "control") { [self] in run() }
        thread.detach()
    }

    /// Ends the thread, and waits for that: a moment, since it never blocks.
    func stop() {
        stopping.signal()
        ended.wait()
        // Another call finds it up, too.
        ended.signal()
    }

    private func run() {
        var entries = [
            pollfd(fd: listening.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopping.descriptor.raw, events: Int16(POLLIN), revents: 0),
        ]
        var pause = Self.lookAroundInterval
        while entries[1].revents == 0 {
            poll(&entries, 2, Int32(pause / .milliseconds(1)))
            if entries[0].revents != 0 { acceptAll() }
            pause = lookAround() ?? Self.lookAroundInterval
        }
        ended.signal()
    }

    /// Takes what waits, a number at a time, so that the rest of the loop has its turn.
    private func acceptAll() {
        for _ in 0..<64 {
            if clients.isSaturated { return clients.waitForOneToGo(atMost: ConnectionTable.grace) }
            let socket = clinux_accept(listening.raw)
            guard socket >= 0 else {
                // No descriptor left, accept(2): until one is free, the client waits in the queue.
                if errno == EMFILE || errno == ENFILE || errno == ENOMEM {
                    clients.waitForOneToGo(atMost: .milliseconds(50))
                }
                return
            }
            take(socket)
        }
    }

    /// Says why there is no place, as far as the socket takes it at once.
    private func refuse(_ socket: Int32) {
        let body = JSONValue.object(
            APIError.tooManyRequests("too many connections are at work; try again in a moment").json
        ).serialized(.compact)
        let head = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nConnection: close\r\n"
        let answer = Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
        _ = send(socket, answer, answer.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        close(socket)
    }

    private func take(_ socket: Int32) {
        do throws(SystemError) {
            let peer = try Peer(of: socket)
            guard clients.admit(socket, peer, isPrivileged: isPrivileged(peer)) else { return refuse(socket) }
            if !hand(socket) { clients.remove(socket) }
        } catch {
            // It has gone already.
            close(socket)
        }
    }
}
