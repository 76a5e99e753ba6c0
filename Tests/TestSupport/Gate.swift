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

    /// For poll(2): readable once open.
    var descriptor: Int32 { event.descriptor.raw }
}
