import Glibc
import Platform

/// A file in the state directory that keeps one thing from one process to the next. Owned by `CacheStorage`. A hint: it is
/// written over in place and not waited for, so that it takes no new room where the disk is full; a power cut may cost
/// the last of it. What it keeps is written in one line, of the same length each time.
struct StateFile<Memory: LosslessStringConvertible> {
    private let file: Descriptor
    /// What was written last; nil where that was never, or cannot be read as such.
    private(set) var memory: Memory?
    /// Whether the last write failed.
    private(set) var isLost = false

    init(_ name: String, in directory: Directory) throws(SystemError) {
        file = try directory.openFile(name, flags: O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o600)
        let line = try file.readAll(limit: 128)?.split(separator: 10).first
        memory = line.flatMap { Memory(String(decoding: $0, as: UTF8.self)) }
    }

    mutating func write(_ memory: Memory) throws(SystemError) {
        isLost = true
        try file.write(Array("\(memory)\n".utf8), at: 0)
        isLost = false
        self.memory = memory
    }
}
