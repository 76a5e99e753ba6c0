/// What the loop has to do and has done since its start.
package struct TransferStatistics: Sendable, Equatable {
    /// Transfers under way.
    package var active = 0
    /// Bytes of bodies received over the network, those of failed transfers included.
    package var bytesReceived: Int64 = 0
}
