/// What a walker wants of the bytes that come next.
enum Step: Sendable {
    /// Pass over `after` bytes, then hand over exactly so many: from 1 to `longestRead`.
    case read(Int, after: UInt64 = 0)
    /// Hand over whatever comes, piece by piece.
    case scan(after: UInt64 = 0)
    /// The picture ends after so many bytes; what follows does not matter.
    case end(after: UInt64 = 0)
    /// No picture can come of this.
    case reject(ImageProblem)

    /// The most that a walker may have kept for it, which bounds an inspector's memory.
    static let longestRead = 65_536
}
