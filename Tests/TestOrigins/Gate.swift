import Glibc
import Platform

/// Holds up whoever waits for it until a test opens it; stays open.
package final class Gate: Sendable {
    private let event: EventDescriptor

    package init() throws {
        event = try EventDescriptor()
    }

    package func open() {
        event.signal()
    }

    /// Blocks the calling thread until it is open.
    package func waitUntilOpen() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while entry.revents == 0 { poll(&entry, 1, -1) }
    }

    /// Whether it is open now.
    package var isOpen: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    /// For poll(2): readable once open.
    var descriptor: Int32 { event.descriptor.raw }
}
