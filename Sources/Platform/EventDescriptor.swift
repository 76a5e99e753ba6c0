import CLinux
import Glibc

/// A flag that a thread can poll for beside other descriptors, eventfd(2). Any thread may signal it.
package final class EventDescriptor: Sendable {
    /// For poll(2): readable while signalled.
    package let descriptor: Descriptor

    package init() throws(SystemError) {
        descriptor = Descriptor(owning: try checked("eventfd") { clinux_eventfd() })
    }

    /// Raises the flag; raising it twice is raising it once.
    package func signal() {
        var one: UInt64 = 1
        // It fails only where the counter is full, and then the flag is up already.
        _ = write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
    }

    /// Lowers the flag; true where it was up.
    @discardableResult
    package func clear() -> Bool {
        var count: UInt64 = 0
        return read(descriptor.raw, &count, MemoryLayout<UInt64>.size) > 0
    }

    /// Blocks the calling thread until the flag is up, and lowers it.
    package func wait() {
        var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        while !clear() {
            poll(&entry, 1, -1)
        }
    }
}
