import Platform

/// How far a transfer has come. Written by the loop's thread, read by anyone at any time.
package final class TransferProgress: Sendable {
    private let state = Locked((stored: Int64(0), announced: Int64?.none))

    package init() {}

    /// Bytes stored so far.
    package var stored: Int64 { state.withLock { $0.stored } }

    /// The length that the origin has announced, in bytes as sent; nil while none is known.
    package var announced: Int64? { state.withLock { $0.announced } }

    func announce(_ length: Int64?) { state.withLock { $0.announced = length } }

    func advance(to stored: Int64) { state.withLock { $0.stored = stored } }
}
