/// Passes over a document type declaration, of which the `<!` has gone by, with the declarations, comments and quoted
/// texts inside it.
struct XMLDoctype: Sendable {
    private var beginning: [UInt8] = []
    private var quote: UInt8?
    private var brackets = 0
    private var isComment = false
    private var window: UInt32 = 0

    /// Takes one byte and tells whether it was the last.
    mutating func take(_ byte: UInt8) -> Bool {
        if beginning.count < Self.html.count { beginning.append(byte) }
        window = window << 8 | UInt32(byte)
        if isComment {
            if window & 0xFFFFFF == 0x2D2D3E { isComment = false }
            return false
        }
        if let quote {
            if byte == quote { self.quote = nil }
            return false
        }
        switch byte {
        case 0x22, 0x27: quote = byte
        case 0x5B: brackets += 1
        case 0x5D: brackets = max(0, brackets - 1)
        case 0x3E: return brackets == 0
        case 0x2D where window == 0x3C212D2D:
            // So that `<!-->` does not end the comment it begins.
            isComment = true
            window = 0
        default: break
        }
        return false
    }

    private static let html = Array("doctype html".utf8)

    var isHTML: Bool {
        // Setting this bit turns capitals into small letters and leaves a space as it is.
        beginning.map { $0 | 0x20 } == Self.html
    }
}
