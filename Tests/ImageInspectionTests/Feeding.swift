import ImageInspection

typealias Outcome = Result<ImageHeader, ImageProblem>

/// What the inspector says of a body that comes in pieces of these lengths, the last again and again.
func inspect(_ bytes: some Collection<UInt8>, pieces: [Int] = [.max]) -> Outcome {
    feed(bytes, pieces: pieces).finish()
}

/// The inspector as it stands after these bytes.
func feed(_ bytes: some Collection<UInt8>, pieces: [Int] = [.max]) -> ImageInspector {
    var inspector = ImageInspector()
    var rest = Array(bytes)[...]
    var turn = 0
    while !rest.isEmpty {
        let piece = rest.prefix(max(1, pieces[min(turn, pieces.count - 1)]))
        piece.withUnsafeBytes { inspector.consume($0) }
        rest = rest.dropFirst(piece.count)
        turn += 1
    }
    return inspector
}

/// The bytes of a number, the highest first.
func big(_ value: UInt64, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// A box of the ISO base media format.
func box(_ code: String, _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    return big(UInt64(content.count + 8), 4) + Array(code.utf8) + content
}

/// A PNG chunk with a checksum of zeroes, which nobody verifies.
func chunk(_ code: String, _ content: [UInt8] = []) -> [UInt8] {
    big(UInt64(content.count), 4) + Array(code.utf8) + content + [0, 0, 0, 0]
}

let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

/// A PNG's IHDR chunk.
func pngHeader(width: UInt64, height: UInt64) -> [UInt8] {
    chunk("IHDR", big(width, 4) + big(height, 4) + [1, 0, 0, 0, 0])
}
