/// Classic TIFF (no BigTIFF). Its directories may lie anywhere and bytes that have gone by cannot be read again, so
/// directories are followed as long as they lie ahead; writers put them at the end, or in front of their data.
/// Complete when a directory and everything it points to has come, as far as the directory itself tells where.
struct TIFFWalker: Walker {
    private enum State {
        case start, header, count, entry, link
    }

    /// One of a directory's entries of 12 bytes.
    private enum Tag {
        static let subfileType: UInt64 = 254
        static let width: UInt64 = 256
        static let height: UInt64 = 257
        static let stripOffsets: UInt64 = 273
        static let stripByteCounts: UInt64 = 279
    }

    let type: ImageType? = .tiff
    private(set) var size: PixelSize?
    private(set) var frames = 0
    private var state = State.start
    private var isBigEndian = false
    private var entriesLeft: UInt64 = 0
    /// The end of the furthest data that any entry points to.
    private var needed: UInt64 = 0

    // What the present directory has told.
    private var width = 0
    private var height = 0
    private var isReduced = false
    private var stripOffset: UInt64?
    private var stripLength: UInt64?

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .header
            return .read(8)
        case .header:
            isBigEndian = bytes[0] == 0x4D
            return directory(at: number(bytes, 4, 4), from: offset)
        case .count:
            entriesLeft = number(bytes, 0, 2)
            guard entriesLeft > 0 else { return .reject(.incomplete("a TIFF directory without entries")) }
            (width, height, isReduced, stripOffset, stripLength) = (0, 0, false, nil, nil)
            state = .entry
            return .read(12)
        case .entry:
            take(bytes)
            entriesLeft -= 1
            guard entriesLeft == 0 else { return .read(12) }
            return endOfEntries()
        case .link:
            return directory(at: number(bytes, 0, 4), from: offset)
        }
    }

    private mutating func directory(at place: UInt64, from offset: UInt64) -> Step {
        if place >= offset {
            state = .count
            return .read(2, after: place - offset)
        }
        guard size != nil else { return .reject(.incomplete("a TIFF whose directory cannot be reached")) }
        // No further directory, or one that has gone by.
        return .end(after: needed > offset ? needed - offset : 0)
    }

    private mutating func take(_ entry: Bytes) {
        let kind = number(entry, 2, 2)
        let count = number(entry, 4, 4)
        let unit: UInt64
        switch kind {
        case 3, 8: unit = 2
        case 4, 9, 11, 13: unit = 4
        case 5, 10, 12: unit = 8
        default: unit = 1
        }
        if count * unit > 4 { needed = max(needed, number(entry, 8, 4) + count * unit) }
        guard count == 1, unit <= 4 else { return }
        let value = number(entry, 8, Int(unit))
        switch number(entry, 0, 2) {
        case Tag.subfileType: isReduced = value & 1 != 0
        case Tag.width: width = Int(value)
        case Tag.height: height = Int(value)
        case Tag.stripOffsets: stripOffset = value
        case Tag.stripByteCounts: stripLength = value
        default: break
        }
    }

    private mutating func endOfEntries() -> Step {
        if let stripOffset, let stripLength { needed = max(needed, stripOffset + stripLength) }
        if let told = PixelSize(width: width, height: height) {
            if size == nil { size = told }
            // A reduced copy of another page is a thumbnail, no page of its own.
            if !isReduced || frames == 0 { frames += 1 }
        }
        guard size != nil else { return .reject(.notImage("a TIFF without width or height")) }
        state = .link
        return .read(4)
    }

    private func number(_ bytes: Bytes, _ index: Int, _ length: Int) -> UInt64 {
        isBigEndian ? bytes.big(index, length) : bytes.little(index, length)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        .incomplete(size == nil ? "the TIFF ends before its directory" : "the TIFF ends before its data")
    }
}
