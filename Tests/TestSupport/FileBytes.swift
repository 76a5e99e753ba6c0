import Foundation
import Glibc
import Platform

/// Whole files, as tests write and read them.
package enum FileBytes {
    package static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Writes under a temporary name beside `path` and renames: the file is there at once, and whole.
    package static func put(_ bytes: [UInt8], at path: String) throws {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let temporary = "\(path[..<slash])/.new-\(path[path.index(after: slash)...])"
        try Data(bytes).write(to: URL(filePath: temporary))
        guard rename(temporary, path) == 0 else { throw SystemError("rename", path: path) }
    }

    /// Turns a bit in the midst of the file over, as a disk may; size and times stay.
    package static func flipBit(of path: String) throws {
        var status = stat()
        try checked("stat", path: path) { stat(path, &status) }
        var bytes = try read(path)
        bytes[bytes.count / 2] ^= 1
        let file = Descriptor(owning: try checked("open", path: path) { open(path, O_WRONLY | O_CLOEXEC) })
        try file.write(bytes)
        try checked("utimensat") { utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) }
    }
}
