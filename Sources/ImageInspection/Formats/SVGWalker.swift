/// SVG: XML whose root is an `svg` element. The type is told only when that root is seen, for HTML and any other text
/// begins alike. Elements are counted as they open and close; complete when the root has closed. Only ASCII-compatible
/// encodings are understood.
struct SVGWalker: Walker {
    private enum State {
        case text, markup, declaration, commentStart, comment, section, instruction, doctype, tag, closing
    }

    private(set) var type: ImageType?
    private(set) var size: PixelSize?
    let frames = 1

    private let hasByteOrderMark: Bool
    private var state = State.text
    private var tag = XMLTag(keepsText: true)
    private var dimensions = SVGDimensions()
    private var doctype = XMLDoctype()
    /// How many elements are open.
    private var depth = 0
    /// The last bytes of a comment, a section or an instruction, by which its end is known.
    private var window: UInt32 = 0

    init(hasByteOrderMark: Bool) {
        self.hasByteOrderMark = hasByteOrderMark
    }

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        .scan(after: hasByteOrderMark ? 3 : 0)
    }

    mutating func scan(_ bytes: Bytes) -> (taken: Int, step: Step) {
        var index = 0
        while index < bytes.count {
            if state == .text, depth > 0 {
                index = bytes.position(of: 0x3C, from: index)
                guard index < bytes.count else { break }
            }
            let step = take(bytes[index])
            index += 1
            if let step { return (index, step) }
        }
        return (index, .scan())
    }

    /// Takes one byte; nil while more is wanted.
    private mutating func take(_ byte: UInt8) -> Step? {
        switch state {
        case .text:
            if byte == 0x3C {
                state = .markup
            } else if depth == 0, !Self.isSpace(byte) {
                return .reject(.notImage("it begins like a text"))
            }
        case .markup:
            return markup(byte)
        case .declaration:
            switch byte {
            case 0x2D: state = .commentStart
            case 0x5B: begin(.section)
            default:
                doctype = XMLDoctype()
                state = .doctype
                return takeDoctype(byte)
            }
        case .commentStart:
            begin(.comment)
        case .comment:
            if isEnd(byte, 0x2D2D3E, 0xFFFFFF) { state = .text }
        case .section:
            if isEnd(byte, 0x5D5D3E, 0xFFFFFF) { state = .text }
        case .instruction:
            if isEnd(byte, 0x3F3E, 0xFFFF) { state = .text }
        case .doctype:
            return takeDoctype(byte)
        case .tag:
            return takeTag(byte)
        case .closing:
            if byte == 0x3E { return close() }
        }
        return nil
    }

    /// The byte after a `<`.
    private mutating func markup(_ byte: UInt8) -> Step? {
        switch byte {
        case 0x21: state = .declaration
        case 0x3F: begin(.instruction)
        case 0x2F:
            guard depth > 0 else { return .reject(.notImage("a text that is no XML")) }
            state = .closing
        default:
            // Only the root tells anything.
            tag = XMLTag(keepsText: depth == 0)
            state = .tag
            return takeTag(byte)
        }
        return nil
    }

    private mutating func takeDoctype(_ byte: UInt8) -> Step? {
        guard doctype.take(byte) else { return nil }
        state = .text
        return doctype.isHTML ? .reject(.notImage("it is HTML")) : nil
    }

    private mutating func takeTag(_ byte: UInt8) -> Step? {
        switch tag.take(byte) {
        case .inside:
            return nil
        case .attribute:
            if depth == 0 { dimensions.take(attribute: tag.attribute, value: tag.value) }
            return nil
        case .end(let isEmpty):
            if depth == 0, let step = root() { return step }
            depth += 1
            state = .text
            return isEmpty ? close() : nil
        }
    }

    /// The root's tag has ended: it must be an `svg`, with a namespace's prefix or without.
    private mutating func root() -> Step? {
        let name = String(decoding: tag.name, as: UTF8.self)
        guard name == "svg" || name.hasSuffix(":svg") else {
            return .reject(.notImage(name.lowercased() == "html" ? "it is HTML" : "a markup that is no SVG"))
        }
        size = dimensions.size
        guard size != nil else { return .reject(.notImage("an SVG without width or height")) }
        type = .svg
        return nil
    }

    private mutating func close() -> Step? {
        depth -= 1
        state = .text
        return depth == 0 ? .end() : nil
    }

    private mutating func begin(_ state: State) {
        self.state = state
        window = 0
    }

    private mutating func isEnd(_ byte: UInt8, _ end: UInt32, _ mask: UInt32) -> Bool {
        window = window << 8 | UInt32(byte)
        return window & mask == end
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        type == nil ? .notImage("a text without any picture") : .incomplete("the SVG ends before its root closes")
    }
}
