/// AVIF and HEIC: boxes within boxes. Those that tell the size, the frames and where the data lie are read, all others
/// passed over by their length. Complete when the boxes end with the file, both what describes the picture and data
/// are among them, and the data reach as far as the description says.
struct ISOMediaWalker: Walker {
    private enum State {
        case start, fileTypeHeader, fileType, box, largeBox, content
    }

    /// A box that is being descended into.
    private struct Parent {
        let code: FourCC
        let end: UInt64
    }

    private(set) var type: ImageType?
    private(set) var size: PixelSize?
    var frames: Int { isSequence ? max(1, samples) : 1 }

    private var state = State.start
    private var parents: [Parent] = []
    private var box = BoxHeader(.none)
    private var boxEnd: UInt64 = 0
    private var isOpenEnded = false

    private var isSequence = false
    private var properties = ItemProperties()
    private var trackIsPicture = false
    private var samples = 0
    private var hasDescription = false
    private var hasData = false
    private var dataEnd: UInt64 = 0

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .fileTypeHeader
            return .read(BoxHeader.length)
        case .fileTypeHeader:
            box = BoxHeader(bytes)
            // Major brand, version and at least nothing more, in words of four.
            guard (16...16 + FileBrands.longest).contains(box.stated), box.stated % 4 == 0 else {
                return .reject(.notImage("a media file whose type is malformed"))
            }
            state = .fileType
            return .read(Int(box.stated) - BoxHeader.length)
        case .fileType:
            return fileType(FileBrands(bytes), at: offset)
        case .box:
            box = BoxHeader(bytes)
            if box.isLarge {
                state = .largeBox
                return .read(BoxHeader.largeLength)
            }
            if box.runsToTheEnd, parents.isEmpty, box.code == "mdat" {
                isOpenEnded = true
                return enter(until: .max, from: offset)
            }
            return enter(until: box.end(at: offset), from: offset)
        case .largeBox:
            return enter(until: box.end(at: offset, large: bytes.big(0, 8)), from: offset)
        case .content:
            take(bytes)
            return box(from: boxEnd, at: offset)
        }
    }

    private mutating func fileType(_ brands: FileBrands, at offset: UInt64) -> Step {
        switch brands.kind {
        case .picture(let type):
            self.type = type
            isSequence = brands.isSequence
            return box(from: offset, at: offset)
        case .other(let mediaType):
            return .reject(.unsupported(mediaType))
        case .unknown:
            return .reject(.notImage("a media file of an unknown brand"))
        }
    }

    /// Asks for the header of the box at `place`, after leaving those that end before it.
    private mutating func box(from place: UInt64, at offset: UInt64) -> Step {
        while let parent = parents.last, parent.end <= place {
            parents.removeLast()
            if parent.code == "meta", properties.size != nil { size = properties.size }
        }
        state = .box
        return .read(BoxHeader.length, after: place - offset)
    }

    /// A box's header has been read: descends, reads the content or passes over it.
    private mutating func enter(until end: UInt64?, from offset: UInt64) -> Step {
        guard let end, end <= parents.last?.end ?? .max else {
            return .reject(.incomplete("a box of impossible length"))
        }
        boxEnd = end
        let length = end - offset
        let parent = parents.last?.code
        if parent == "ipco" { properties.beginProperty() }
        if parent == nil, box.code == "mdat" { hasData = true }
        if parent == "meta", box.code == "idat" { hasData = true }
        if let skipped = Self.container(box.code, in: parent), skipped <= length {
            if parent == nil { hasDescription = true }
            parents.append(Parent(code: box.code, end: end))
            return box(from: offset + skipped, at: offset)
        }
        if let wanted = Self.content(box.code, in: parent, length: length) {
            state = .content
            return .read(wanted)
        }
        return box(from: end, at: offset)
    }

    /// How many bytes stand in front of the first child; nil where the box is not descended into. As each container
    /// has one place, boxes nested without end lead nowhere.
    private static func container(_ code: FourCC, in parent: FourCC?) -> UInt64? {
        switch (code, parent) {
        case ("meta", nil): 4
        case ("moov", nil), ("iprp", "meta"), ("ipco", "iprp"), ("trak", "moov"), ("mdia", "trak"), ("minf", "mdia"),
            ("stbl", "minf"):
            0
        default: nil
        }
    }

    /// How many bytes of the content are wanted; nil where the box does not matter or is too short or long to be true.
    private static func content(_ code: FourCC, in parent: FourCC?, length: UInt64) -> Int? {
        switch (code, parent) {
        case ("ispe", "ipco"), ("hdlr", "mdia"), ("stsz", "stbl"): length >= 12 ? 12 : nil
        case ("pitm", "meta"): length >= 6 ? Int(min(length, 8)) : nil
        case ("stsd", "stbl"): length >= 44 ? 44 : nil
        case ("ipma", "iprp"), ("iloc", "meta"): (8...UInt64(Step.longestRead)).contains(length) ? Int(length) : nil
        default: nil
        }
    }

    private mutating func take(_ content: Bytes) {
        switch box.code {
        case "ispe": properties.takeSize(content)
        case "pitm": properties.takePrimaryItem(content)
        case "ipma": properties.takeAssociations(content)
        case "iloc": dataEnd = max(dataEnd, ItemLocations.end(content))
        case "hdlr": trackIsPicture = content.code(8) == "pict" || content.code(8) == "vide"
        case "stsz" where trackIsPicture: samples = max(samples, Int(content.big(8, 4)))
        case "stsd" where trackIsPicture && size == nil:
            // Width and height of the first visual sample entry: a sequence need not have a `meta` box.
            size = PixelSize(width: Int(content.big(40, 2)), height: Int(content.big(42, 2)))
        default: break
        }
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        guard type != nil else { return .notImage("a media file that ends before it tells its type") }
        let runsOut = isOpenEnded && state == .box && parents.isEmpty
        if !parents.isEmpty || (inside && !runsOut) || state != .box { return .incomplete("a box is cut") }
        if !hasDescription { return .incomplete("nothing describes the picture") }
        if !hasData { return .incomplete("the picture's data are missing") }
        return dataEnd > offset ? .incomplete("the picture's data are cut") : nil
    }
}
