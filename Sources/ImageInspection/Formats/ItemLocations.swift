/// Where an `iloc` box says that an AVIF or HEIC file keeps its pictures' data.
struct ItemLocations {
    private let content: Bytes
    private let version: UInt8
    /// Where reading has come to.
    private var place = 4
    private var offsetLength = 0
    private var lengthLength = 0
    private var baseLength = 0
    private var indexLength = 0

    private init(_ content: Bytes) {
        self.content = content
        version = content[0]
    }

    /// The place in the file after the furthest of the data, given the box's content; 0 where it tells of none.
    static func end(_ content: Bytes) -> UInt64 {
        var locations = ItemLocations(content)
        return locations.end()
    }

    private mutating func end() -> UInt64 {
        let lengths = take(2)
        offsetLength = Int(lengths >> 12)
        lengthLength = Int(lengths >> 8 & 0xF)
        baseLength = Int(lengths >> 4 & 0xF)
        indexLength = version == 0 ? 0 : Int(lengths & 0xF)
        let known = [offsetLength, lengthLength, baseLength, indexLength].allSatisfy { [0, 4, 8].contains($0) }
        guard version <= 2, known else { return 0 }

        var end: UInt64 = 0
        for _ in 0..<take(numberLength) {
            guard place < content.count else { break }
            end = max(end, itemEnd())
        }
        return end
    }

    /// The length of an item's number, and of the count of them.
    private var numberLength: Int { version < 2 ? 2 : 4 }

    private mutating func itemEnd() -> UInt64 {
        place += numberLength
        // Other methods than 0 count from the `idat` box or from another item, other references are to other files.
        let method = version == 0 ? 0 : take(2) & 0xF
        let reference = take(2)
        let base = take(baseLength)
        let extents = take(2)
        // Extents of no length in the box would be counted without moving on.
        guard indexLength + offsetLength + lengthLength > 0 else { return 0 }
        var end: UInt64 = 0
        for _ in 0..<extents {
            guard place < content.count else { break }
            place += indexLength
            let (start, overflow) = base.addingReportingOverflow(take(offsetLength))
            let (extentEnd, overflows) = start.addingReportingOverflow(take(lengthLength))
            end = max(end, overflow || overflows ? .max : extentEnd)
        }
        return method == 0 && reference == 0 ? end : 0
    }

    private mutating func take(_ length: Int) -> UInt64 {
        defer { place += length }
        return content.big(place, length)
    }
}
