/// Valid small pictures, made in code: any size in pixels, any size in bytes, as many different ones as a test wants.
package enum SampleImages {
    /// A grey PNG. `seed` makes its bytes differ from all others; `bytes` pads it to exactly so many.
    package static func png(width: Int = 4, height: Int = 4, seed: Int = 0, bytes: Int? = nil) -> [UInt8] {
        var header = bigEndian(width, 4) + bigEndian(height, 4)
        header += [8, 0, 0, 0, 0]  // 8 bits, grey, the only compression and filter there are, not interlaced
        let start = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
        let row = [0] + [UInt8](repeating: 0x80, count: width)
        let pixels = (0..<height).flatMap { _ in row }
        let end = chunk("IDAT", zlib(pixels)) + chunk("IEND", [])
        // A private chunk, which every decoder passes over.
        let least = start.count + end.count + 12 + 8
        let padding = filler(seed, count: 8 + max(0, (bytes ?? least) - least))
        return start + chunk("prVt", padding) + end
    }

    /// A grey JPEG. `seed` makes its bytes differ from all others; `bytes` pads it to exactly so many.
    package static func jpeg(width: Int = 16, height: Int = 16, seed: Int = 0, bytes: Int? = nil) -> [UInt8] {
        let start: [UInt8] = [0xff, 0xd8]
        var end = segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
        end += segment(0xc0, [8] + bigEndian(height, 2) + bigEndian(width, 2) + [1, 1, 0x11, 0])
        // One code, of one bit, in each Huffman table: "no difference" and "end of block". A block is two zero bits.
        let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        end += segment(0xc4, [0x00] + table) + segment(0xc4, [0x10] + table)
        end += segment(0xda, [1, 1, 0, 0, 63, 0])
        let bits = 2 * ((width + 7) / 8) * ((height + 7) / 8)
        end += [UInt8](repeating: 0, count: bits / 8)
        if bits % 8 > 0 { end.append(UInt8(0xff >> (bits % 8))) }
        end += [0xff, 0xd9]
        return start + comments(seed, count: max(16, (bytes ?? 0) - start.count - end.count)) + end
    }

    /// A JPEG of exactly so many bytes, many, most of them after its end and no two stretches alike; made in no time.
    package static func large(seed: Int = 0, bytes: Int) -> [UInt8] {
        var result = jpeg(seed: seed)
        result.reserveCapacity(bytes)
        let block = filler(seed, count: 65_536)
        var number = 0
        while result.count < bytes {
            result += (bigEndian(number, 4) + block).prefix(bytes - result.count)
            number += 1
        }
        return result
    }

    /// Comment segments of `count` bytes in all, at least 16.
    private static func comments(_ seed: Int, count: Int) -> [UInt8] {
        var result: [UInt8] = []
        var rest = count
        while rest > 0 {
            // A segment is 4 bytes and up to 65,533 more; none may be left over that is too short to be one.
            var size = min(rest, 65_537)
            if rest - size > 0, rest - size < 16 { size -= 16 }
            result += segment(0xfe, filler(seed, count: size - 4))
            rest -= size
        }
        return result
    }

    /// Bytes that begin with the seed and never hold 0xff.
    private static func filler(_ seed: Int, count: Int) -> [UInt8] {
        (0..<count).map { index in
            index < 8 ? UInt8(truncatingIfNeeded: seed >> (7 * index)) & 0x7f : UInt8(truncatingIfNeeded: index) & 0x7f
        }
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xff, marker] + bigEndian(content.count + 2, 2) + content
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return bigEndian(content.count, 4) + named + bigEndian(Int(crc(named)), 4)
    }

    /// Stored blocks only, RFC 1950 and 1951.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let size = [UInt8(block.count & 0xff), UInt8(block.count >> 8)]
            result += [rest.isEmpty ? 1 : 0] + size + size.map { ~$0 } + block
        } while !rest.isEmpty
        let (low, high) = bytes.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return result + bigEndian(high << 16 | low, 4)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
