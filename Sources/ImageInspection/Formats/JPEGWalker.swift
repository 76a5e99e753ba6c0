/// JPEG: segments passed over by their length, so that nothing inside them (a thumbnail with an end of its own) is
/// taken for structure; the coded data is searched for the next marker. Complete with EOI, after a frame header and a
/// scan.
struct JPEGWalker: Walker {
    private enum State {
        case start, markers, length, frameHeader(length: UInt64), lineCount(length: UInt64)
    }

    let type: ImageType? = .jpeg
    private(set) var size: PixelSize?
    let frames = 1
    private var state = State.start
    private var marker: UInt8 = 0
    /// Whether the last byte searched was the 0xFF that may begin a marker.
    private var afterFF = false
    /// Set by a frame header that leaves the height to a DNL segment after the first scan.
    private var widthWithoutHeight: Int?
    private var hasScan = false

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .markers
            return .scan(after: 2)
        case .markers:
            return .scan()
        case .length:
            return segment(length: bytes.big(0, 2))
        case .frameHeader(let length):
            let height = Int(bytes.big(1, 2))
            let width = Int(bytes.big(3, 2))
            guard width > 0 else { return .reject(.notImage("a JPEG without width")) }
            size = PixelSize(width: width, height: height)
            if size == nil { widthWithoutHeight = width }
            return markers(after: length - 8)
        case .lineCount(let length):
            if let width = widthWithoutHeight { size = PixelSize(width: width, height: Int(bytes.big(0, 2))) }
            return markers(after: length - 4)
        }
    }

    mutating func scan(_ bytes: Bytes) -> (taken: Int, step: Step) {
        var index = 0
        while index < bytes.count {
            if !afterFF {
                index = bytes.position(of: 0xFF, from: index) + 1
                afterFF = index <= bytes.count
                continue
            }
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0xFF: break  // Fill bytes may stand before a marker.
            case 0x00, 0x01, 0xD0...0xD7: afterFF = false  // Stuffing, TEM, restarts: nothing belongs to them.
            default:
                afterFF = false
                return (index, found(byte))
            }
        }
        return (bytes.count, .scan())
    }

    private mutating func found(_ marker: UInt8) -> Step {
        switch marker {
        case 0xD8:
            return .reject(.incomplete("another JPEG begins before the first has ended"))
        case 0xD9:
            guard hasScan, size != nil else { return .reject(.incomplete("a JPEG without picture data")) }
            return .end()
        default:
            self.marker = marker
            state = .length
            return .read(2)
        }
    }

    private mutating func segment(length: UInt64) -> Step {
        guard length >= 2 else { return .reject(.incomplete("a JPEG segment of impossible length")) }
        switch marker {
        // SOF0 to SOF15; DHT, JPG and DAC lie between them.
        case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
            guard size == nil, widthWithoutHeight == nil else {
                return .reject(.incomplete("a JPEG with two frame headers"))
            }
            guard length >= 8 else { return .reject(.incomplete("a JPEG frame header that is too short")) }
            state = .frameHeader(length: length)
            return .read(6)
        case 0xDA:
            guard size != nil || widthWithoutHeight != nil else {
                return .reject(.incomplete("a JPEG scan before any frame header"))
            }
            hasScan = true
        case 0xDC where length >= 4:
            state = .lineCount(length: length)
            return .read(2)
        default:
            break
        }
        return markers(after: length - 2)
    }

    private mutating func markers(after length: UInt64) -> Step {
        state = .markers
        return .scan(after: length)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        .incomplete("the JPEG ends before its EOI")
    }
}
