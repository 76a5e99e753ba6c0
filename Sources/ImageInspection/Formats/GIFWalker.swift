/// GIF 87a and 89a: the logical screen gives the size, every image descriptor is a frame, sub-blocks are walked by
/// their lengths. Complete with the trailer.
struct GIFWalker: Walker {
    private enum State {
        case start, screen, block, image, subBlocks, label
    }

    let type: ImageType? = .gif
    private(set) var size: PixelSize?
    private(set) var frames = 0
    private var state = State.start
    /// How many bytes of the present sub-block are still to come.
    private var subBlockRest = 0

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .screen
            return .read(7, after: 6)
        case .screen:
            size = PixelSize(width: Int(bytes.little(0, 2)), height: Int(bytes.little(2, 2)))
            guard size != nil else { return .reject(.notImage("a GIF without width or height")) }
            return block(after: Self.colourTable(bytes[4]))
        case .block:
            return block(bytes[0])
        case .image:
            state = .subBlocks
            frames += 1
            // The colour table, then one byte that tells the size of the codes.
            return .scan(after: Self.colourTable(bytes[8]) + 1)
        case .label, .subBlocks:
            state = .subBlocks
            return .scan()
        }
    }

    /// Walks sub-blocks: a length, so many bytes, again; a length of 0 ends them. Here and not by `next`, because a
    /// hostile file may hold millions of them.
    mutating func scan(_ bytes: Bytes) -> (taken: Int, step: Step) {
        var index = 0
        while index < bytes.count {
            if subBlockRest > 0 {
                let passed = min(subBlockRest, bytes.count - index)
                subBlockRest -= passed
                index += passed
            } else {
                subBlockRest = Int(bytes[index])
                index += 1
                if subBlockRest == 0 { return (index, block(after: 0)) }
            }
        }
        return (index, .scan())
    }

    private mutating func block(_ introducer: UInt8) -> Step {
        switch introducer {
        case 0x2C:
            state = .image
            return .read(9)
        case 0x21:
            state = .label
            return .read(1)
        case 0x3B:
            return frames > 0 ? .end() : .reject(.incomplete("a GIF without any frame"))
        case 0x00:
            // Some encoders leave a stray terminator between blocks; decoders pass over it.
            return .read(1)
        default:
            return .reject(.incomplete("an unknown block in a GIF"))
        }
    }

    private mutating func block(after length: UInt64) -> Step {
        state = .block
        return .read(1, after: length)
    }

    /// The length of the colour table that the packed byte of a screen or an image announces.
    private static func colourTable(_ packed: UInt8) -> UInt64 {
        packed & 0x80 == 0 ? 0 : 3 << (UInt64(packed & 0x07) + 1)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        .incomplete("the GIF ends before its trailer")
    }
}
