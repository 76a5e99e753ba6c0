/// Where an `iloc` box says that an AVIF or HEIC file keeps its pictures' data.
enum ItemLocations {
    /// The place in the file after the furthest of the data, given the box's content; 0 where it tells of none.
    static func end(_ content: Bytes) -> UInt64 {
        let version = content[0]
        guard version <= 2 else { return 0 }
        let offsetLength = Int(content[4] >> 4)
        let lengthLength = Int(content[4] & 0xF)
        let baseLength = Int(content[5] >> 4)
        let indexLength = version == 0 ? 0 : Int(content[5] & 0xF)
        let lengths = [offsetLength, lengthLength, baseLength, indexLength]
        guard lengths.allSatisfy({ [0, 4, 8].contains($0) }) else { return 0 }

        let numberLength = version < 2 ? 2 : 4
        var place = 6 + numberLength
        var end: UInt64 = 0
        for _ in 0..<content.big(6, numberLength) {
            guard place < content.count else { break }
            place += numberLength
            var isInFile = true
            if version > 0 {
                // Other methods count from the `idat` box or from another item.
                isInFile = content.big(place, 2) & 0xF == 0
                place += 2
            }
            // Data in another file.
            if content.big(place, 2) != 0 { isInFile = false }
            let base = content.big(place + 2, baseLength)
            let extents = content.big(place + 2 + baseLength, 2)
            place += 2 + baseLength + 2
            for _ in 0..<extents {
                guard place < content.count else { break }
                let offset = content.big(place + indexLength, offsetLength)
                let length = content.big(place + indexLength + offsetLength, lengthLength)
                place += indexLength + offsetLength + lengthLength
                guard isInFile else { continue }
                end = max(
                    end,
                    [offset, length].reduce(base) { sum, next in
                        let (result, overflow) = sum.addingReportingOverflow(next)
                        return overflow ? .max : result
                    })
                // Extents of no bytes at all would be counted without moving on.
                if indexLength + offsetLength + lengthLength == 0 { break }
            }
        }
        return end
    }
}
