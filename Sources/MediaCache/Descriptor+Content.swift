import Glibc
import Hashing
import Platform

/// Whole files, read from their start wherever their offset is.
extension Descriptor {
    /// The name of what it holds.
    func content() throws(SystemError) -> ContentID {
        var hasher = ContentHasher()
        try forEachPiece { piece throws(SystemError) in
            hasher.update(piece)
            return true
        }
        return hasher.digest()
    }

    /// Appends all it holds to `other`, and gives the name of what was written.
    func copy(to other: Descriptor) throws(SystemError) -> ContentID {
        var hasher = ContentHasher()
        try forEachPiece { piece throws(SystemError) in
            hasher.update(piece)
            try other.write(piece)
            return true
        }
        return hasher.digest()
    }

    /// Whether both hold the same bytes.
    func holdsSame(as other: Descriptor) throws(SystemError) -> Bool {
        guard try status().size == other.status().size else { return false }
        // SAFETY: freed at the end of this call, and used only within it.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        var isSame = true
        try forEachPiece { piece throws(SystemError) in
            let count = try other.fill(buffer, at: offset)
            offset += count
            guard count == piece.count, let one = piece.baseAddress, let two = buffer.baseAddress else {
                isSame = false
                return false
            }
            // SAFETY: both buffers hold `count` bytes that were read.
            isSame = memcmp(one, two, count) == 0
            return isSame
        }
        return isSame
    }

    private static let pieceSize = 262_144

    private func forEachPiece(
        _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Bool
    ) throws(SystemError) {
        // SAFETY: freed at the end of this call, and used only within it.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = try fill(buffer, at: offset)
            if count == 0 { return }
            offset += count
            // SAFETY: the bytes up to `count` were read, and `body` does not keep the pointer.
            if try !body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
        }
    }

    /// Reads until the buffer is full or the file ends; gives how many bytes those are.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try checked("read", path: path) {
                // SAFETY: the rest of the buffer, from `filled` on, has room for the count that is asked for.
                pread(raw, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(offset + filled))
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
