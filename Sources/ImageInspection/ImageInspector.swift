/// Tells from the bytes of a body, as they arrive, which picture it is, how large, and at the end whether it is all
/// there.
///
/// A value, owned by the transfer that feeds it. It decodes no pixels and does no I/O, takes any bytes in pieces of
/// any length without trapping, gives the same answer however they are cut, and keeps at most 64 KiB of them.
package struct ImageInspector: Sendable {
    /// The first bytes, until they tell what they begin.
    private var prefix: [UInt8] = []
    private var walk: Walk?

    /// Known as soon as it is certain that no picture can come of this body, whatever follows.
    package private(set) var rejection: ImageProblem?

    /// An inspector that has seen nothing yet.
    package init() {}

    /// The type, as soon as the first bytes tell.
    package var type: ImageType? { walk?.walker.type }

    /// The size, as soon as the header tells: a transfer of too many pixels can stop there.
    package var size: PixelSize? { walk?.walker.size }

    /// Takes the next bytes of the body.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer) {
        guard rejection == nil else { return }
        let bytes = Bytes(bytes)
        if walk == nil {
            let taken = bytes.prefix(max(0, Signature.longest - prefix.count))
            let kept = prefix.count
            prefix.append(contentsOf: taken.raw)
            // SAFETY: both views of `prefix` are read within their calls, and `prefix` does not change meanwhile.
            let match = prefix.withUnsafeBytes { Signature.match(Bytes($0)) }
            switch match {
            case .undecided: return
            case .none(let problem): rejection = problem
            case .walker(let walker):
                var begun = Walk(walker)
                prefix.withUnsafeBytes { begun.consume(Bytes($0)) }
                walk = begun
                walk?.consume(bytes.dropFirst(prefix.count - kept))
                prefix = []
            }
        } else {
            walk?.consume(bytes)
        }
        if let problem = walk?.rejection { rejection = problem }
    }

    /// To be called when the body has ended: what it was, or why it was not a whole picture.
    package func finish() -> Result<ImageHeader, ImageProblem> {
        if let rejection { return .failure(rejection) }
        guard let walk else { return .failure(.notImage("too few bytes to tell")) }
        return walk.finish()
    }
}
