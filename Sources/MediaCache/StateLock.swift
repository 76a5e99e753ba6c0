import Glibc
import Platform

/// The daemon's hold on its state directory: a lock that goes with the process, whatever ends it, flock(2).
struct StateLock {
    private let descriptor: Descriptor

    private static let name = "lock"

    /// Takes the lock and writes the process's number into it, for people; fails with `owned` where another process
    /// has it.
    init(in directory: Directory) throws(CacheFailure) {
        descriptor = try classified { () throws(SystemError) in
            try directory.openFile(Self.name, flags: O_RDWR | O_CREAT, mode: 0o600)
        }
        let path = directory.path
        if flock(descriptor.raw, LOCK_EX | LOCK_NB) != 0 {
            if errno != EWOULDBLOCK { throw CacheFailure(SystemError("flock", path: descriptor.path)) }
            throw CacheFailure(.owned, "another daemon\(holder()) owns \(path)")
        }
        try classified { () throws(SystemError) in
            try descriptor.truncate(to: 0)
            try descriptor.write(Array("\(getpid())\n".utf8))
        }
    }

    /// Whether the lock file in the directory at `path` is the one that is locked: it may have been removed, and another
    /// process have made and locked another.
    func isInPlace(in path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let found = try Directory.open(path).status(of: Self.name)
            let own = try descriptor.status()
            return found?.inode == own.inode && found?.device == own.device
        } catch {
            if error.isMissing { return false }
            throw error
        }
    }

    private func holder() -> String {
        // Only for the message: a number that cannot be read is left out.
        guard let bytes = try? descriptor.readAll(limit: 32), let first = bytes.split(separator: 10).first,
            let number = Int32(String(decoding: first, as: UTF8.self))
        else { return "" }
        return " (process \(number))"
    }
}
