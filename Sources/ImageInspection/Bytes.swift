/// A view of bytes that are there for the length of a call. A read beyond its end gives zeroes instead of a trap,
/// so that no length a file claims can do harm.
struct Bytes {
    // SAFETY: lent for the length of the call that a view was made for; nobody keeps one. Each read is checked against
    // the count, and a view of a part is cut by the collection itself, never beyond its end.
    let raw: UnsafeRawBufferPointer

    init(_ raw: UnsafeRawBufferPointer) {
        self.raw = raw
    }

    static var none: Bytes { Bytes(UnsafeRawBufferPointer(start: nil, count: 0)) }

    var count: Int { raw.count }

    subscript(index: Int) -> UInt8 {
        index >= 0 && index < raw.count ? raw[index] : 0
    }

    func prefix(_ length: Int) -> Bytes {
        Bytes(UnsafeRawBufferPointer(rebasing: raw.prefix(length)))
    }

    func dropFirst(_ length: Int) -> Bytes {
        Bytes(UnsafeRawBufferPointer(rebasing: raw.dropFirst(length)))
    }

    /// The big-endian number of `length` (at most 8) bytes at `index`.
    func big(_ index: Int, _ length: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<length { value = value << 8 | UInt64(self[index &+ place]) }
        return value
    }

    /// The little-endian number of `length` (at most 8) bytes at `index`.
    func little(_ index: Int, _ length: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<length { value |= UInt64(self[index &+ place]) << UInt64(8 * place) }
        return value
    }

    /// The four characters at `index`.
    func code(_ index: Int) -> FourCC {
        FourCC(UInt32(truncatingIfNeeded: big(index, 4)))
    }

    /// The place of the first `byte` at or after `start`; `count` where there is none. Eight bytes at a time: it
    /// sees nearly every byte of a JPEG.
    func position(of byte: UInt8, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let pattern = ones &* UInt64(byte)
        var index = max(0, start)
        while index &+ 8 <= raw.count {
            // SAFETY: the loop's condition keeps all eight bytes inside the view.
            // A byte of `word` is zero where the bytes are equal; the well-known test for a zero byte in a word.
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ pattern
            if (word &- ones) & ~word & (ones << 7) != 0 { break }
            index &+= 8
        }
        while index < raw.count, raw[index] != byte { index &+= 1 }
        return min(index, raw.count)
    }
}
