import Foundation
import Platform
import TestSupport

/// A tree of files as a process sees it, and beside that what of it would still be there after a power cut: of a file
/// what its last fsync covered, of a directory the names that it had at its last fsync. POSIX promises no more.
struct DiskModel {
    /// What a power cut takes.
    enum Loss: String, CaseIterable {
        /// All that no fsync has covered: names as well as bytes.
        case everything
        /// The bytes that no fsync has covered; all names are there. Files end early.
        case endsOfFiles
        /// The same, but files have their length, and zeros where bytes are missing.
        case bytesOfFiles
    }

    private struct File {
        var bytes: [UInt8]
        /// As of the last fsync.
        var safe: [UInt8]
    }

    private struct Folder {
        var names: [String: Int] = [:]
        /// As of the last fsync.
        var safe: [String: Int] = [:]
    }

    // By a number of their own: an inode's may be given again.
    private var files: [Int: File] = [:]
    private var folders: [Int: Folder] = [:]
    private var nodes: [UInt64: Int] = [:]
    private var count = 0
    private var root = 0
    /// Steps that name what is not known.
    private(set) var strays = 0

    /// All that is below `path` is there for good.
    init(path: String) throws {
        root = try take(path)
    }

    private mutating func take(_ path: String) throws -> Int {
        let status = try Directory.open(path).descriptor.status()
        let number = add(folder: status.inode)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            guard let status = try Directory.open(path).status(of: name) else { continue }
            let node: Int
            if status.kind == .directory {
                node = try take("\(path)/\(name)")
            } else {
                node = try add(file: status.inode, FileBytes.read("\(path)/\(name)"))
            }
            folders[number]?.names[name] = node
            folders[number]?.safe[name] = node
        }
        return number
    }

    private mutating func add(folder inode: UInt64) -> Int {
        count += 1
        nodes[inode] = count
        folders[count] = Folder()
        return count
    }

    /// One that is on disk whole.
    private mutating func add(file inode: UInt64, _ bytes: [UInt8]) -> Int {
        count += 1
        nodes[inode] = count
        files[count] = File(bytes: bytes, safe: bytes)
        return count
    }

    // MARK: Steps

    mutating func apply(_ step: RecordedStep) {
        switch step {
        case .create(let inode, in: let directory, let name, let isNew):
            if isNew { self.name(add(file: inode, []), name, in: directory) }
        case .write(let bytes, to: let inode, at: let offset):
            change(inode) { file in
                let end = offset + bytes.count
                if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
                file.bytes.replaceSubrange(offset..<end, with: bytes)
            }
        case .truncate(let inode, to: let size):
            change(inode) { file in
                file.bytes = Array(file.bytes.prefix(size))
                file.bytes += [UInt8](repeating: 0, count: size - file.bytes.count)
            }
        case .synchronizeFile(let inode):
            change(inode) { $0.safe = $0.bytes }
        case .synchronizeDirectory(let inode):
            guard let folder = nodes[inode], let names = folders[folder]?.names else { return strays += 1 }
            folders[folder]?.safe = names
        case .rename(in: let from, let name, to: let to, let newName, let found):
            if let found {
                let node = add(file: found.inode, found.bytes)
                self.name(node, name, in: from)
                if let folder = nodes[from] { folders[folder]?.safe[name] = node }
            }
            guard let node = unname(name, in: from) else { return strays += 1 }
            self.name(node, newName, in: to)
        case .remove(in: let directory, let name), .removeDirectory(in: let directory, let name):
            _ = unname(name, in: directory)
        case .makeDirectory(let inode, in: let directory, let name):
            self.name(add(folder: inode), name, in: directory)
        case .other:
            break
        }
    }

    private mutating func name(_ node: Int, _ name: String, in directory: UInt64) {
        guard let folder = nodes[directory], folders[folder] != nil else { return strays += 1 }
        folders[folder]?.names[name] = node
    }

    private mutating func unname(_ name: String, in directory: UInt64) -> Int? {
        guard let folder = nodes[directory] else { return nil }
        return folders[folder]?.names.removeValue(forKey: name)
    }

    private mutating func change(_ inode: UInt64, _ body: (inout File) -> Void) {
        guard let node = nodes[inode], var file = files[node] else { return strays += 1 }
        body(&file)
        files[node] = file
    }

    // MARK: What is left

    /// Whether any file has ever had these bytes.
    func hasFile(of bytes: [UInt8]) -> Bool { files.values.contains { $0.bytes == bytes } }

    /// Makes what a power cut leaves below `path`, which is there.
    func write(to path: String, after loss: Loss) throws {
        try write(root, to: path, loss)
    }

    private func write(_ folder: Int, to path: String, _ loss: Loss) throws {
        guard let folder = folders[folder] else { return }
        for (name, node) in loss == .everything ? folder.safe : folder.names {
            let place = "\(path)/\(name)"
            if let file = files[node] {
                var bytes = file.safe
                if loss == .bytesOfFiles {
                    bytes += [UInt8](repeating: 0, count: max(0, file.bytes.count - bytes.count))
                }
                try Data(bytes).write(to: URL(filePath: place))
                // In the order of their making, by which payloads are taken.
                let modified = Date(timeIntervalSinceNow: Double(node - count) - 3600)
                try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: place)
            } else {
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
                try write(node, to: place, loss)
            }
        }
    }
}
