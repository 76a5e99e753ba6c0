import Glibc
import Platform

/// Writes down each step as it is made, one line each, with all that another needs to make it again: which files and
/// directories, by their inodes, and the bytes. Words are parted by tabs; bytes are in hexadecimal. For one thread at a
/// time.
///
/// A step that failed is the line `failed`. A file that others have put there is told, with its bytes, by the step that
/// first moves it.
final class StepRecorder: @unchecked Sendable {
    // SAFETY: of `@unchecked`: whoever calls `record` holds a lock while it runs.
    private let output: Int32
    /// Files that were made here.
    private var known: Set<UInt64> = []

    init(_ path: String) {
        output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        if output < 0 { perror("crash-daemon: \(path)") }
    }

    /// Makes the step.
    func record(_ step: DiskStep, _ call: () -> Int) -> (result: Int, code: Int32) {
        let before = Before(step, known)
        let result = call()
        let code = errno
        write(line(step, before, result: result).joined(separator: "\t") + "\n")
        return (result, code)
    }

    /// A name goes, and with it the inode, whose number may be another's next.
    private func forget(_ inode: UInt64?) {
        if let inode { known.remove(inode) }
    }

    /// What can be seen only before a step is made.
    private struct Before {
        var offset: off_t = 0
        /// The inode that a name stands for.
        var inode: UInt64?
        /// The inode of the file that is replaced.
        var replaced: UInt64?
        /// The bytes of a file that is not known.
        var bytes: [UInt8]?

        init(_ step: DiskStep, _ known: Set<UInt64>) {
            switch step {
            case .write(_, to: let file, at: let offset):
                self.offset = offset ?? lseek(file, 0, SEEK_CUR)
            case .create(let name, in: let directory), .remove(let name, in: let directory):
                inode = StepRecorder.status(name, directory)?.inode
            case .rename(let name, in: let directory, to: let newName, within: let destination):
                replaced = StepRecorder.status(newName, destination)?.inode
                guard let status = StepRecorder.status(name, directory) else { return }
                inode = status.inode
                if !known.contains(status.inode), status.isRegular {
                    bytes = StepRecorder.contents(name, directory)
                }
            default:
                break
            }
        }
    }

    private func line(_ step: DiskStep, _ before: Before, result: Int) -> [String] {
        if result < 0 { return ["failed"] }
        switch step {
        case .create(let name, in: let directory):
            let inode = Self.inode(Int32(result))
            known.insert(inode)
            return ["create", "\(Self.inode(directory))", name, "\(inode)", before.inode == inode ? "old" : "new"]
        case .write(let bytes, to: let file, at: _):
            return ["write", "\(Self.inode(file))", "\(before.offset)", Self.hex(bytes.prefix(result))]
        case .truncate(let file, to: let size):
            return ["truncate", "\(Self.inode(file))", "\(size)"]
        case .synchronizeFile(let file):
            return ["synchronize-file", "\(Self.inode(file))"]
        case .synchronizeDirectory(let directory):
            return ["synchronize-directory", "\(Self.inode(directory))"]
        case .rename(let name, in: let directory, to: let newName, within: let destination):
            let words = ["rename", "\(Self.inode(directory))", name, "\(Self.inode(destination))", newName]
            forget(before.replaced)
            guard let inode = before.inode, known.insert(inode).inserted else { return words }
            return words + ["\(inode)", Self.hex(before.bytes ?? [])]
        case .remove(let name, in: let directory):
            forget(before.inode)
            return ["remove", "\(Self.inode(directory))", name]
        case .makeDirectory(let name, in: let directory):
            let made = Self.status(name, directory)?.inode ?? 0
            // By its path: its parent is not open.
            let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
            guard directory == AT_FDCWD, let slash else {
                return ["make-directory", "\(Self.inode(directory))", name, "\(made)"]
            }
            let parent = Self.status(String(name[..<slash]), directory)?.inode ?? 0
            return ["make-directory", "\(parent)", String(name[name.utf8.index(after: slash)...]), "\(made)"]
        case .removeDirectory(let name, in: let directory):
            return ["remove-directory", "\(Self.inode(directory))", name]
        case .changeAttributes: return ["change-attributes"]
        case .commit: return ["commit"]
        }
    }

    private static func inode(_ descriptor: Int32) -> UInt64 {
        var value = stat()
        return fstat(descriptor, &value) == 0 ? UInt64(value.st_ino) : 0
    }

    private static func status(_ name: String, _ directory: Int32) -> (inode: UInt64, isRegular: Bool)? {
        var value = stat()
        guard fstatat(directory, name, &value, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return (UInt64(value.st_ino), value.st_mode & S_IFMT == S_IFREG)
    }

    private static func contents(_ name: String, _ directory: Int32) -> [UInt8]? {
        let raw = openat(directory, name, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        // What cannot be read is recorded as empty, which the checks will not pass over.
        return try? Descriptor(owning: raw).readAll(limit: 1 << 20)
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        let digits = Array("0123456789abcdef".utf8)
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private func write(_ line: String) {
        let bytes = Array(line.utf8)
        let written = Glibc.write(output, bytes, bytes.count)
        if written != bytes.count { perror("crash-daemon: a step is not recorded") }
    }
}
