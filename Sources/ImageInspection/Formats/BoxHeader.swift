/// The header of a box of the ISO base media format, which AVIF, HEIC and JPEG XL's container share: a length that
/// counts the header too, and a type.
struct BoxHeader: Sendable {
    static let length = 8
    /// The length of the number that follows the header of a box with `isLarge`.
    static let largeLength = 8

    let code: FourCC
    /// What the 32 bits say: 0 is to the end of the file, 1 announces 64 bits more.
    let stated: UInt64

    init(_ bytes: Bytes) {
        stated = bytes.big(0, 4)
        code = bytes.code(4)
    }

    var isLarge: Bool { stated == 1 }
    var runsToTheEnd: Bool { stated == 0 }

    /// The place after the box whose header ends at `offset`; nil where the length is impossible. `large` is the
    /// 64-bit number of a large box, which must have been read.
    func end(at offset: UInt64, large: UInt64 = 0) -> UInt64? {
        let header: UInt64 = isLarge ? 16 : 8
        let length = isLarge ? large : stated
        guard length >= header, offset >= header else { return nil }
        let (end, overflow) = (offset - header).addingReportingOverflow(length)
        return overflow ? nil : end
    }
}
