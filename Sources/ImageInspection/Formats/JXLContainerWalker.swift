/// JPEG XL in its container: boxes, of which `jxlc` is the codestream and `jxlp` are its parts. Complete when the
/// boxes end with the file and the codestream, or its last part, is among them. Counted as one frame: how many there
/// are, only decoding tells.
struct JXLContainerWalker: Walker {
    private enum State {
        case start, box, largeBox, codestream, part
    }

    private(set) var type: ImageType?
    private(set) var size: PixelSize?
    let frames = 1
    private var state = State.start
    private var box = BoxHeader(.none)
    private var boxEnd: UInt64 = 0
    private var isOpenEnded = false
    private var hasData = false

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .box
            // The signature is a box of 12 bytes.
            return .read(BoxHeader.length, after: 12)
        case .box:
            box = BoxHeader(bytes)
            if box.isLarge {
                state = .largeBox
                return .read(BoxHeader.largeLength)
            }
            isOpenEnded = box.runsToTheEnd
            guard let end = isOpenEnded ? .max : box.end(at: offset) else { return impossible }
            return enter(until: end, from: offset)
        case .largeBox:
            guard let end = box.end(at: offset, large: bytes.big(0, 8)) else { return impossible }
            return enter(until: end, from: offset)
        case .codestream:
            return told(bytes, at: offset)
        case .part:
            // The highest bit of the part's number marks the last one.
            if bytes[0] & 0x80 != 0 { hasData = true }
            return size == nil ? told(bytes.dropFirst(4), at: offset) : pass(from: offset)
        }
    }

    private var impossible: Step { .reject(.incomplete("a JPEG XL box of impossible length")) }

    private mutating func enter(until end: UInt64, from offset: UInt64) -> Step {
        boxEnd = end
        let length = end - offset
        if type == nil {
            guard box.code == "ftyp" else { return .reject(.notImage("a JPEG XL without a file type")) }
            type = .jxl
            return pass(from: offset)
        }
        let wanted = Int(min(length, UInt64(JXLSize.longest) + 4))
        switch box.code {
        case "jxlc" where wanted > 0:
            hasData = true
            state = .codestream
            return .read(wanted)
        case "jxlp" where wanted >= 4:
            state = .part
            return .read(wanted)
        default:
            return pass(from: offset)
        }
    }

    private mutating func told(_ codestream: Bytes, at offset: UInt64) -> Step {
        size = JXLSize.parse(codestream)
        guard size != nil else { return .reject(.incomplete("a JPEG XL whose codestream has no header")) }
        return pass(from: offset)
    }

    private mutating func pass(from offset: UInt64) -> Step {
        state = .box
        return .read(BoxHeader.length, after: boxEnd - offset)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        if inside, !(isOpenEnded && state == .box && hasData) { return .incomplete("a box of the JPEG XL is cut") }
        return hasData ? nil : .incomplete("the JPEG XL ends before its codestream")
    }
}
