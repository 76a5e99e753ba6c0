/// What a string has been found to hold so far; a local of the parser.
struct StringContent {
    private var bytes: [UInt8] = []
    /// Half a surrogate pair was met: no `String` can hold this one.
    var isLost = false

    var text: String? { isLost ? nil : String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ plain: ArraySlice<UInt8>) { bytes.append(contentsOf: plain) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ scalar: Unicode.Scalar) { bytes.append(contentsOf: String(scalar).utf8) }
}
