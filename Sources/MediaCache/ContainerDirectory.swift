import Glibc
import Platform
import Stories

/// A container on disk, opened for one use: its `pw_stories_cache/` and what is below, where no symbolic link is
/// followed. It is opened anew each time, which costs a few microseconds beside an fsync of hundreds, so that a
/// container that was removed or made again from outside is never mistaken for the old one.
struct ContainerDirectory {
    /// `pw_stories_cache/`.
    let root: Directory
    /// The group of the container; what is made here is given to it.
    let group: gid_t

    /// Opens the container; nil where nothing was ever stored in it.
    static func open(_ container: Container, _ options: CacheOptions) throws(CacheFailure) -> ContainerDirectory? {
        let root: Directory?
        switch container.kind {
        case .provisioned:
            root = try orNil { () throws(SystemError) in try Directory.open(options.appGroupsRoot) }
        case .fallback:
            root = try FallbackDirectory.open(options.fallbackDirectory, makes: false)
        }
        return try orNil { () throws(SystemError) in
            guard let directory = try root?.directory(container.directoryName) else { return nil }
            return ContainerDirectory(
                root: try directory.directory(ContainerLayout.cache), group: try directory.descriptor.status().group)
        }
    }

    /// Opens the container, made as far as the daemon may: a provisioned group's directory is the operator's to make.
    static func make(_ container: Container, _ options: CacheOptions) throws(CacheFailure) -> ContainerDirectory {
        let fallback =
            container.kind == .fallback ? try FallbackDirectory.open(options.fallbackDirectory, makes: true) : nil
        return try classified { () throws(SystemError) in
            let directory: Directory
            if let fallback {
                let group = try fallback.descriptor.status().group
                directory = try make(container.directoryName, in: fallback, group: group, isDurable: true)
            } else {
                directory = try Directory.open(options.appGroupsRoot).directory(container.directoryName)
            }
            let group = try directory.descriptor.status().group
            return ContainerDirectory(
                root: try make(ContainerLayout.cache, in: directory, group: group, isDurable: true), group: group)
        }
    }

    /// What tells a directory from another of its name. A number that is free again is given out at once by some
    /// filesystems, so it counts only with the time of its making. (Holding the directory open would keep its number, and
    /// would keep a disk that is mounted there from being unmounted.)
    struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
        let made: Timestamp?
    }

    func identity() throws(SystemError) -> Identity {
        let status = try root.descriptor.status()
        return Identity(device: status.device, inode: status.inode, made: root.descriptor.birthTime)
    }

    static let directoryMode: mode_t = 0o750
    static let fileMode: mode_t = 0o640

    /// `.partial/`, made where it is not there.
    func partials() throws(SystemError) -> Directory {
        try Self.make(ContainerLayout.partials, in: root, group: group, isDurable: false)
    }

    /// `objects/<name>/`, made where it is not there. `news`: the directories that must be on disk for it to last.
    func objects(_ name: String, _ news: inout [Synchronizer.Target]) throws(SystemError) -> Directory {
        let objects = try Self.make(ContainerLayout.objects, in: root, group: group, &news)
        return try Self.make(name, in: objects, group: group, &news)
    }

    /// `stories/<id>/`, made where it is not there. `news` as above.
    func story(_ id: StoryID, _ news: inout [Synchronizer.Target]) throws(SystemError) -> Directory {
        let stories = try Self.make(ContainerLayout.stories, in: root, group: group, &news)
        return try Self.make(id.description, in: stories, group: group, &news)
    }

    /// The directory at the end of `names`, each in the one before; nil where one is not there.
    func existing(_ names: String...) throws(SystemError) -> Directory? {
        var directory = root
        for name in names {
            do { directory = try directory.directory(name) } catch {
                if error.isMissing { return nil }
                throw error
            }
        }
        return directory
    }

    private static func make(
        _ name: String, in parent: Directory, group: gid_t, isDurable: Bool
    ) throws(SystemError) -> Directory {
        var news: [Synchronizer.Target] = []
        let directory = try make(name, in: parent, group: group, &news)
        guard isDurable, !news.isEmpty else { return directory }
        do throws(SystemError) { try parent.synchronize() } catch {
            // So that the next try makes it as well, and waits for it. One that stays is waited for after the next start.
            _ = try? parent.removeDirectory(name)
            throw error
        }
        return directory
    }

    private static func make(
        _ name: String, in parent: Directory, group: gid_t, _ news: inout [Synchronizer.Target]
    ) throws(SystemError) -> Directory {
        do { return try parent.directory(name) } catch {
            if !error.isMissing { throw error }
        }
        let directory = try parent.makeDirectory(name, mode: directoryMode, group: group)
        news.append(.directory(parent))
        return directory
    }

    private static func orNil<Result>(
        _ body: () throws(SystemError) -> Result?
    ) throws(CacheFailure) -> Result? {
        do { return try body() } catch {
            if error.isMissing { return nil }
            throw CacheFailure(error)
        }
    }
}
