/// The SizeHeader at the front of a JPEG XL codestream, behind its FF 0A; bits are read from the lowest of each byte
/// up.
struct JXLSize {
    /// The most bytes it can take: 2 of signature and 68 bits.
    static let longest = 11

    private let bits: Bytes
    private var place = 16

    private init(_ codestream: Bytes) {
        bits = codestream
    }

    /// Nil where the bytes begin no codestream.
    static func parse(_ codestream: Bytes) -> PixelSize? {
        guard codestream.big(0, 2) == 0xFF0A else { return nil }
        var header = JXLSize(codestream)
        return header.size()
    }

    private mutating func size() -> PixelSize? {
        let isSmall = take(1) == 1
        let height = side(isSmall)
        let width: Int
        switch take(3) {
        case 1: width = height
        case 2: width = height * 12 / 10
        case 3: width = height * 4 / 3
        case 4: width = height * 3 / 2
        case 5: width = height * 16 / 9
        case 6: width = height * 5 / 4
        case 7: width = height * 2
        default: width = side(isSmall)
        }
        return PixelSize(width: width, height: height)
    }

    private mutating func side(_ isSmall: Bool) -> Int {
        if isSmall { return (take(5) + 1) * 8 }
        let lengths = [9, 13, 18, 30]
        return take(lengths[take(2)]) + 1
    }

    private mutating func take(_ count: Int) -> Int {
        var value = 0
        for bit in 0..<count {
            value |= Int(bits[place / 8] >> UInt8(place % 8) & 1) << bit
            place += 1
        }
        return value
    }
}
