/// A place in a text, as people count it.
package struct TextPlace: Sendable, Equatable {
    /// The line, from 1. LF, CR LF and CR end a line.
    package let line: Int
    /// The character within the line, from 1, counted as people see characters; a byte order mark is none.
    package let column: Int

    /// Finds an offset that lies between two characters; all bytes before it are valid UTF-8.
    init(of offset: Int, in bytes: [UInt8]) {
        var line = 1
        var lineStart = bytes.starts(with: JSONParser.byteOrderMark) ? JSONParser.byteOrderMark.count : 0
        for index in bytes[..<offset].indices {
            let byte = bytes[index]
            let isCarriageReturnAlone = byte == UInt8(ascii: "\r") && bytes[(index + 1)...].first != UInt8(ascii: "\n")
            if byte == UInt8(ascii: "\n") || isCarriageReturnAlone {
                line += 1
                lineStart = index + 1
            }
        }
        self.line = line
        self.column = String(decoding: bytes[min(lineStart, offset)..<offset], as: UTF8.self).count + 1
    }
}
