import Glibc
import Platform

/// The file in the state directory that keeps the last believed time from one process to the next. Owned by
/// `CacheStorage`. A hint: it is written over in place and not waited for, so that it takes no new room where the disk
/// is full; a power cut may cost the last of it.
struct ClockFile {
    private let file: Descriptor
    /// What was written last; nil where that was never, or cannot be read as such.
    private(set) var memory: ClockMemory?

    init(in directory: Directory) throws(SystemError) {
        file = try directory.openFile("clock", flags: O_RDWR | O_CREAT, mode: 0o600)
        let line = try file.readAll(limit: 128)?.split(separator: 10).first
        memory = line.flatMap { ClockMemory(String(decoding: $0, as: UTF8.self)) }
    }

    mutating func write(_ memory: ClockMemory) throws(SystemError) {
        try file.write(Array("\(memory)\n".utf8), at: 0)
        self.memory = memory
    }
}
