/// BMP with a BITMAPCOREHEADER or any kind of BITMAPINFOHEADER. Complete when the rows, or what the headers say of
/// compressed data, have come. Two letters are a weak signature: the type is told only once the headers agree.
struct BMPWalker: Walker {
    private enum State {
        case start, fileHeader, bitmapHeader(length: UInt64, dataOffset: UInt64)
    }

    private(set) var type: ImageType?
    private(set) var size: PixelSize?
    let frames = 1
    private var state = State.start

    private static let nothing = ImageProblem.notImage("BM, but no bitmap's headers after it")

    mutating func next(_ bytes: Bytes, upTo offset: UInt64) -> Step {
        switch state {
        case .start:
            state = .fileHeader
            // The file header of 14 bytes, and the other header's length.
            return .read(18)
        case .fileHeader:
            let length = bytes.little(14, 4)
            let dataOffset = bytes.little(10, 4)
            guard [12, 16, 40, 52, 56, 64, 108, 124].contains(length), dataOffset >= 14 + length else {
                return .reject(Self.nothing)
            }
            state = .bitmapHeader(length: length, dataOffset: dataOffset)
            return .read(Int(min(length, 24)) - 4)
        case .bitmapHeader(let length, let dataOffset):
            return length == 12 ? core(bytes, dataOffset, at: offset) : info(bytes, dataOffset, at: offset)
        }
    }

    private mutating func core(_ bytes: Bytes, _ dataOffset: UInt64, at offset: UInt64) -> Step {
        told(
            width: Int(bytes.little(0, 2)), height: Int(bytes.little(2, 2)), planes: bytes.little(4, 2),
            depth: bytes.little(6, 2), compressed: nil, dataOffset, at: offset)
    }

    private mutating func info(_ bytes: Bytes, _ dataOffset: UInt64, at offset: UInt64) -> Step {
        // 0, 3 and 6 are plain rows, the last two with masks for the colours. A header of 16 bytes has no such field.
        let isPlain = [0, 3, 6].contains(bytes.little(12, 4))
        return told(
            width: Int(Int32(truncatingIfNeeded: bytes.little(0, 4))),
            // A negative height says that the rows run from the top down.
            height: Int(Int32(truncatingIfNeeded: bytes.little(4, 4)).magnitude),
            planes: bytes.little(8, 2), depth: bytes.little(10, 2),
            compressed: isPlain ? nil : bytes.little(16, 4), dataOffset, at: offset)
    }

    /// `compressed` is the length of the data, nil where they are plain rows.
    private mutating func told(
        width: Int, height: Int, planes: UInt64, depth: UInt64, compressed: UInt64?, _ dataOffset: UInt64,
        at offset: UInt64
    ) -> Step {
        let isDepth = [1, 2, 4, 8, 16, 24, 32].contains(depth) || compressed != nil && depth == 0
        guard planes == 1, isDepth else { return .reject(Self.nothing) }
        guard let size = PixelSize(width: width, height: height) else {
            return .reject(.notImage("a BMP without width or height"))
        }
        self.size = size
        type = .bmp
        // Rows of whole 32-bit words. At most 2^33 bytes a row and 2^31 rows: the product may not fit.
        let row = (UInt64(width) * depth + 31) / 32 * 4
        let (rows, overflow) = row.multipliedReportingOverflow(by: UInt64(height))
        let end = dataOffset + (compressed ?? (overflow ? .max / 2 : min(rows, .max / 2)))
        return .end(after: end > offset ? end - offset : 0)
    }

    func missing(at offset: UInt64, inside: Bool) -> ImageProblem? {
        type == nil ? Self.nothing : .incomplete("the BMP lacks rows")
    }
}
