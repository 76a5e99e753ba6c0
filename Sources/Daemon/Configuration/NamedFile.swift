import Glibc
import Platform

/// A file that an operator has named, read as a whole. Reading blocks.
struct NamedFile {
    let path: String
    /// In bytes; what is larger is another file by mistake.
    let largest: Int

    /// Why it cannot be read, to stand after its path: `is a directory`.
    struct Trouble: Error {
        let message: String
    }

    func bytes() throws(Trouble) -> [UInt8] {
        let kind: FileStatus.Kind
        let bytes: [UInt8]?
        do throws(SystemError) {
            // O_NONBLOCK: opening a FIFO must not wait for a writer.
            let raw = try checked("open", path: path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            let file = Descriptor(owning: raw, path: path)
            kind = try file.status().kind
            bytes = kind == .regular ? try file.readAll(limit: largest) : nil
        } catch {
            throw Trouble(message: "cannot be read: \(String(cString: strerror(error.code)))")
        }
        switch (kind, bytes) {
        case (.directory, _): throw Trouble(message: "is a directory")
        case (.regular, let bytes?): return bytes
        case (.regular, nil): throw Trouble(message: "is larger than \(largest) bytes")
        default: throw Trouble(message: "is no regular file")
        }
    }
}
