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

    /// What has seen all that was read, and nothing else.
    consuming func taken() -> ContentHasher { hasher }

    /// Reads on, and shows it to `take`; true at the end.
    mutating func readPiece(_ take: (UnsafeRawBufferPointer) -> Void = { _ in }) throws(SystemError) -> Bool {
        // SAFETY: freed at the end of this call, and used only within it.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        let count = try file.fill(buffer, at: offset)
        offset += count
        // SAFETY: the bytes up to `count` were read, and neither the hasher nor `take` keeps the pointer.
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        hasher.update(piece)
        take(piece)
        return count < Self.pieceSize
    }
}
