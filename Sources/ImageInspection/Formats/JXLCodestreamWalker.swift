/// A bare JPEG XL codestream. It has no lengths and no end mark that could be seen without decoding: whatever has a
/// size is taken for complete, and for one frame.
struct JXLCodestreamWalker: Walker {
    let type: ImageType? = .jxl
    private(set) var size: PixelSize?
    let frames = 1
    private var isStarted = false

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        guard isStarted else {
            isStarted = true
            return .read(JXLSize.longest)
        }
        size = JXLSize.parse(bytes)
        return .end()
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        .incomplete("the JPEG XL ends within its header")
    }
}
