/// PNG and APNG: an IHDR first, chunks passed over by their length, complete with IEND. Checksums are not verified.
struct PNGWalker: Walker {
    private enum State {
        case start, header, chunk, animation
    }

    let type: ImageType? = .png
    private(set) var size: PixelSize?
    private(set) var frames = 1
    private var state = State.start
    private var hasData = false

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .header
            // The signature, then the whole IHDR chunk: length, type, 13 bytes, checksum.
            return .read(25, after: 8)
        case .header:
            guard bytes.big(0, 4) == 13, bytes.code(4) == "IHDR" else {
                return .reject(.notImage("a PNG without its header in front"))
            }
            size = PixelSize(width: Int(bytes.big(8, 4)), height: Int(bytes.big(12, 4)))
            guard size != nil else { return .reject(.notImage("a PNG without width or height")) }
            state = .chunk
            return .read(8)
        case .chunk:
            return chunk(bytes.code(4), length: bytes.big(0, 4))
        case .animation:
            frames = max(1, Int(bytes.big(0, 4)))
            state = .chunk
            return .read(8, after: 4 + 4)
        }
    }

    private mutating func chunk(_ code: FourCC, length: UInt64) -> Step {
        guard length < 1 << 31 else { return .reject(.incomplete("a PNG chunk of impossible length")) }
        switch code {
        case "IDAT":
            hasData = true
        case "acTL" where length == 8 && !hasData:
            state = .animation
            return .read(4)
        case "IEND":
            guard hasData else { return .reject(.incomplete("a PNG without picture data")) }
            return .end(after: length + 4)
        default:
            break
        }
        return .read(8, after: length + 4)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        .incomplete("the PNG ends before its IEND")
    }
}
