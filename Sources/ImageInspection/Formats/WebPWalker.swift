/// WebP: a RIFF container whose first chunk tells the size (`VP8 `, `VP8L`, or `VP8X` for the canvas). Complete when
/// as many bytes have come as the container announces, and picture data among them.
struct WebPWalker: Walker {
    private enum State {
        case start, container, chunk, lossy, lossless, extended
    }

    let type: ImageType? = .webp
    private(set) var size: PixelSize?
    var frames: Int { max(1, animationFrames) }
    private var animationFrames = 0
    private var state = State.start
    /// Where the container ends.
    private var end: UInt64 = 0
    /// Where the present chunk ends, its padding included.
    private var chunkEnd: UInt64 = 0
    private var isAnimated = false
    private var hasData = false

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .container
            return .read(12)
        case .container:
            end = 8 + bytes.little(4, 4)
            return chunk(from: offset)
        case .chunk:
            return chunk(bytes.code(0), length: bytes.little(4, 4), at: offset)
        case .lossy:
            // Bit 0 clear is a key frame; then the start code.
            guard bytes[0] & 1 == 0, bytes.big(3, 3) == 0x9D012A else {
                return .reject(.incomplete("a WebP whose frame has no header"))
            }
            return told(width: bytes.little(6, 2) & 0x3FFF, height: bytes.little(8, 2) & 0x3FFF, at: offset)
        case .lossless:
            guard bytes[0] == 0x2F else { return .reject(.incomplete("a WebP whose frame has no header")) }
            let bits = bytes.little(1, 4)
            return told(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1, at: offset)
        case .extended:
            isAnimated = bytes[0] & 0x02 != 0
            return told(width: bytes.little(4, 3) + 1, height: bytes.little(7, 3) + 1, at: offset)
        }
    }

    private mutating func chunk(from offset: UInt64) -> Step {
        state = .chunk
        if end < offset + 8 {
            guard hasData else { return .reject(.incomplete("a WebP without picture data")) }
            return .end(after: end < offset ? 0 : end - offset)
        }
        return .read(8)
    }

    private mutating func chunk(_ code: FourCC, length: UInt64, at offset: UInt64) -> Step {
        let room = end - offset
        guard length <= room else { return .reject(.incomplete("a WebP chunk larger than its file says")) }
        chunkEnd = offset + min(length + length % 2, room)
        let isFirst = size == nil
        switch code {
        case "VP8 ", "VP8L":
            hasData = true
            guard isFirst else { break }
            let lossy = code == "VP8 "
            guard length >= (lossy ? 10 : 5) else { break }
            state = lossy ? .lossy : .lossless
            return .read(lossy ? 10 : 5)
        case "VP8X" where isFirst && length >= 10:
            state = .extended
            return .read(10)
        case "ANMF" where isAnimated && length >= 16:
            hasData = true
            animationFrames += 1
        default:
            break
        }
        guard size != nil else { return .reject(.notImage("a WebP that does not begin with a picture")) }
        return pass(from: offset)
    }

    private mutating func told(width: UInt64, height: UInt64, at offset: UInt64) -> Step {
        size = PixelSize(width: Int(width), height: Int(height))
        guard size != nil else { return .reject(.notImage("a WebP without width or height")) }
        return pass(from: offset)
    }

    /// Passes over what is left of the chunk, to the next one or to the end.
    private mutating func pass(from offset: UInt64) -> Step {
        let rest = chunkEnd - offset
        switch chunk(from: chunkEnd) {
        case .read(let count, let after): return .read(count, after: rest + after)
        case .end(let after): return .end(after: rest + after)
        case let other: return other
        }
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        .incomplete("the WebP ends before the size it announces")
    }
}
