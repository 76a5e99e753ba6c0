/// Why a text is not JSON, and where. Reading the same bytes again gives the same error.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    /// What was expected or what is wrong there.
    package let message: String
    /// The line, from 1. LF, CR LF and CR end a line.
    package let line: Int
    /// The character within the line, from 1, counted as people see characters; a byte order mark is none.
    package let column: Int
    /// The place in bytes, from 0.
    package let offset: Int

    package var description: String { "line \(line), column \(column): \(message)" }

    /// Finds line and column of an offset that lies between two characters; all bytes before it are valid UTF-8.
    init(_ message: String, at offset: Int, in bytes: [UInt8]) {
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
        self.message = message
        self.line = line
        self.column = String(decoding: bytes[min(lineStart, offset)..<offset], as: UTF8.self).count + 1
        self.offset = offset
    }
}
