import CLinux
import Glibc

/// The journal's own socket, which takes fields beside the text of an entry: a datagram an entry, in journald's native
/// protocol. Safe to use from any thread.
///
/// Not sd_journal_sendv(3): that waits while the journal reads nothing, and where there is no journal it says that all
/// is well, so that nobody could write the entry elsewhere.
package struct JournalSocket: Sendable {
    private let descriptor: Descriptor
    private let address: SocketAddress

    /// Nil where there can be no such socket. Whether anybody listens there is found out by each `send`.
    package init?(path: String) {
        let raw = clinux_unix_datagram_socket()
        guard raw >= 0 else { return nil }
        descriptor = Descriptor(owning: raw, path: path)
        guard let address = SocketAddress(path: path) else { return nil }
        self.address = address
    }

    /// The journal's, where standard error leads to it by a stream that the service manager has opened. (In a
    /// namespace of journals that is another directory's socket.)
    package static func ofStandardError() -> JournalSocket? {
        guard let stream = SocketAddress(of: STDERR_FILENO, peer: true)?.path,
            stream.hasPrefix("/run/systemd/journal"), stream.hasSuffix("/stdout")
        else { return nil }
        return JournalSocket(path: "/run/systemd/journal/socket")
    }

    /// Sends an entry, whose values hold no line break. False, at once, where it cannot be taken now.
    package func send(_ fields: [(name: String, value: String)]) -> Bool {
        let entry = Array(fields.map { "\($0.name)=\($0.value)\n" }.joined().utf8)
        return address.send(entry, from: descriptor.raw) == entry.count
    }
}
