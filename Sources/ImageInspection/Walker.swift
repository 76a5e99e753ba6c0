/// Knows the structure of one format: a state machine that says which bytes it wants and judges them. It belongs to
/// the `Walk` that feeds it and never sees how the body was cut into pieces.
protocol Walker: Sendable {
    /// Nil while the signature alone does not settle it.
    var type: ImageType? { get }
    /// Nil until the header has told.
    var size: PixelSize? { get }
    var frames: Int { get }

    /// Judges the bytes that were asked for (none, the first time) and says what is wanted next. `offset` is the
    /// place in the body of the byte after them.
    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step

    /// Called after `.scan` with at least one byte. Says how many it took: all, unless it wants something else now.
    mutating func scan(_ bytes: Bytes) -> (taken: Int, step: Step)

    /// The body has ended at `offset`, before `.end`; `inside` tells whether it did within something that was asked
    /// for or passed over. What is missing, or nil where the format lets a picture end here.
    func missing(at offset: UInt64, inside: Bool) -> ImageProblem?
}

extension Walker {
    mutating func scan(_ bytes: Bytes) -> (taken: Int, step: Step) {
        (bytes.count, .scan())
    }
}
