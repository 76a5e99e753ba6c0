/// Makes lines of bytes that come in pieces. A plain value; what follows the last newline waits for the next piece.
struct LineSplitter {
    private var rest: [UInt8] = []

    /// Hands each line that is whole, without its newline, to `take`, until that answers false; answers what it did.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ take: (_ line: [UInt8]) -> Bool) -> Bool {
        rest += bytes
        var start = rest.startIndex
        defer { rest.removeSubrange(..<start) }
        // What waited has been searched already.
        var searched = rest.count - bytes.count
        while let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[start..<end])
            start = end + 1
            searched = start
            guard take(line) else { return false }
        }
        return true
    }
}
