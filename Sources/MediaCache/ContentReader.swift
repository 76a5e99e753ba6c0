import Hashing
import Platform

/// Reads a file from its start, a piece at a time, for the name of what it holds. Owned by whoever reads.
struct ContentReader: ~Copyable {
    private let file: Descriptor
    private var hasher = ContentHasher()
    private var offset = 0

    /// Bytes: read in a few milliseconds at most, also from a slow disk.
    private static let pieceSize = 262_144

    init(_ file: Descriptor) {
        self.file = file
    }

    /// The name of what was read.
    var content: ContentID { hasher.digest() }

    /// Reads on; true at the end.
    mutating func readPiece() throws(SystemError) -> Bool {
        // SAFETY: freed at the end of this call, and used only within it.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        let count = try file.fill(buffer, at: offset)
        offset += count
        // SAFETY: the bytes up to `count` were read, and the hasher does not keep the pointer.
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count < Self.pieceSize
    }
}
