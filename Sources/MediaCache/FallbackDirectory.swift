import Glibc
import Platform

/// The directory of the fallback containers. Others may be able to write beside it, as in a shared `tmp`, so it is
/// used only while it is a real directory, the daemon's own, and nobody else may write to it.
enum FallbackDirectory {
    /// Opens it; where it is not there it is made, if `makes`, and nil otherwise. Fails with `refused` where another
    /// could have put it there or change it.
    static func open(_ path: String, makes: Bool) throws(CacheFailure) -> Directory? {
        // An absolute path; it may end in a slash.
        let names = path.split(separator: "/").map(String.init)
        guard let name = names.last else { throw CacheFailure(.refused, "\(path) cannot be the fallback directory") }
        let parentPath = "/" + names.dropLast().joined(separator: "/")
        let directory: Directory
        do throws(SystemError) {
            let parent = makes ? try Directory.make(parentPath, mode: 0o755) : try Directory.open(parentPath)
            // Looked up in its parent, so that a link in its place is not followed.
            directory = makes ? try make(name, in: parent) : try parent.directory(name)
        } catch {
            if error.isMissing, !makes { return nil }
            throw CacheFailure(error)
        }
        let status = try classified { () throws(SystemError) in try directory.descriptor.status() }
        guard status.owner == geteuid() else {
            throw CacheFailure(.refused, "\(path) belongs to user \(status.owner), not to the daemon's (\(geteuid()))")
        }
        guard status.mode & 0o022 == 0 else {
            let mode = String(status.mode, radix: 8)
            throw CacheFailure(.refused, "\(path) may be written to by others (mode \(mode)): chmod go-w \(path)")
        }
        return directory
    }

    /// Makes it where it is not there, and waits until its name is on disk: a process that was ended may have made it and
    /// not have waited. Once for each process; otherwise `open` does.
    static func makeDurable(_ path: String) throws(CacheFailure) {
        guard try open(path, makes: true) != nil else { return }
        let names = path.split(separator: "/").dropLast()
        try classified { () throws(SystemError) in
            try Directory.open("/" + names.joined(separator: "/")).synchronize()
        }
    }

    /// On disk where it is new: stories are accepted into it.
    private static func make(_ name: String, in parent: Directory) throws(SystemError) -> Directory {
        let isNew = try parent.status(of: name) == nil
        let directory = try parent.makeDirectory(name, mode: 0o750)
        if !isNew { return directory }
        do throws(SystemError) { try parent.synchronize() } catch {
            // So that it is new to the next try as well.
            _ = try? parent.removeDirectory(name)
            throw error
        }
        return directory
    }
}
