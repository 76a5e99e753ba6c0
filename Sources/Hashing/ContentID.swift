internal import CXXHash

/// The name of some content: the XXH3-128 of its bytes. A plain value.
///
/// Whoever wants to can build two contents with the same hash, so equal names alone never prove equal bytes.
package struct ContentID: Hashable, Sendable {
    /// The high and the low half of the hash; read one after the other they are its canonical form.
    let high: UInt64
    let low: UInt64

    init(_ hash: XXH128_hash_t) {
        high = hash.high64
        low = hash.low64
    }

    /// The name of these bytes.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> ContentID {
        // SAFETY: the pointer and count are of one buffer, valid for the call; XXH3 takes NULL with a length of 0.
        ContentID(XXH3_128bits(bytes.baseAddress, bytes.count))
    }

    /// The name of these bytes.
    package static func of(_ bytes: [UInt8]) -> ContentID {
        // SAFETY: the buffer is used only within the closure.
        bytes.withUnsafeBytes { of($0) }
    }

    /// The name of the UTF-8 bytes of a text.
    package static func of(utf8 text: String) -> ContentID {
        var text = text
        // SAFETY: the buffer is used only within the closure.
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    /// The hash as `xxh128sum` prints it: 32 lower-case hexadecimal digits.
    package var hex: String { Self.hex(high) + Self.hex(low) }

    private static func hex(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// The name written as exactly 32 lower-case hexadecimal digits; nil for any other text.
    package init?(hex: String) {
        let digits = hex.utf8
        let isStrict = digits.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
        }
        guard digits.count == 32, isStrict,
            let high = UInt64(hex.prefix(16), radix: 16), let low = UInt64(hex.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }
}

extension ContentID: CustomStringConvertible {
    package var description: String { hex }
}
