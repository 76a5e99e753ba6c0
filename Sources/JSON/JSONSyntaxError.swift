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

    /// At an offset that lies between two characters; all bytes before it are valid UTF-8.
    init(_ message: String, at offset: Int, in bytes: [UInt8]) {
        let place = TextPlace(of: offset, in: bytes)
        self.message = message
        self.line = place.line
        self.column = place.column
        self.offset = offset
    }
}
