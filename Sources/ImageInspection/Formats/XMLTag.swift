/// Reads one XML start tag, of which the `<` has gone by, byte by byte. Where it is asked to keep them, it holds the
/// name of the element and of the attribute it is at, and that attribute's value, each cut to a bounded length.
struct XMLTag: Sendable {
    enum Event {
        case inside, attribute, end(isEmpty: Bool)
    }

    private(set) var name: [UInt8] = []
    private(set) var attribute: [UInt8] = []
    private(set) var value: [UInt8] = []

    private static let longest = 128
    private let keepsText: Bool
    private var isNamed = false
    private var quote: UInt8?
    private var last: UInt8 = 0

    init(keepsText: Bool) {
        self.keepsText = keepsText
    }

    mutating func take(_ byte: UInt8) -> Event {
        if let quote {
            if byte == quote {
                self.quote = nil
                last = 0
                return .attribute
            }
            if keepsText { Self.append(byte, to: &value) }
            return .inside
        }
        defer { last = byte }
        switch byte {
        case 0x3E:  // >
            return .end(isEmpty: last == 0x2F)
        case 0x22, 0x27:  // " or '
            quote = byte
            value.removeAll(keepingCapacity: true)
        case 0x2F:  // /
            isNamed = true
        case 0x20, 0x09, 0x0A, 0x0D, 0x3D:  // White space, or =
            isNamed = true
        default:
            guard keepsText else { break }
            guard isNamed else {
                Self.append(byte, to: &name)
                break
            }
            // The first letter after a space or a value begins another attribute.
            if [0, 0x20, 0x09, 0x0A, 0x0D].contains(last) { attribute.removeAll(keepingCapacity: true) }
            Self.append(byte, to: &attribute)
        }
        return .inside
    }

    private static func append(_ byte: UInt8, to text: inout [UInt8]) {
        if text.count < longest { text.append(byte) }
    }
}
