import Platform

/// The ear of a service manager, sd_notify(3).
package final class NotifySocket: Sendable {
    private let directory: TemporaryDirectory
    private let socket: Descriptor
    private let all = Locked<[String]>([])

    package init() throws {
        directory = try TemporaryDirectory()
        socket = try UnixSocket.datagrams(at: directory.path("notify"))
    }

    /// What makes a program talk to it.
    package var environment: [String: String] { ["NOTIFY_SOCKET": directory.path("notify")] }

    /// Every assignment that it has been told so far, such as `READY=1`, in order.
    package var told: [String] {
        all.withLock { all in
            all += UnixSocket.received(by: socket).flatMap { $0.split(separator: "\n").map(String.init) }
            return all
        }
    }
}
