import Glibc
import Platform
import Stories

/// Containers that cannot be written to. A failed write is noted; whether the reason has passed is found out when
/// somebody asks, as by then nothing may want to be written there any more.
extension CacheStorage {
    /// Runs `body`, which writes to `container`; `bytes` is how much, where that is known.
    func writing<Result>(
        to container: Container, bytes: Int64 = 0, _ body: () throws(CacheFailure) -> Result
    ) throws(CacheFailure) -> Result {
        do {
            let result = try body()
            troubles.wrote(in: container)
            return result
        } catch {
            let needed = roomOfPartials(in: container).union(Room(bytes: bytes))
            troubles.note(error, in: container, needed: needed, bytes: bytes)
            troubles.setWitnesses(livePartials.keys, in: container)
            // A new file takes an inode, and may take one for its directory.
            throw error.lacking(atLeast: Room(bytes: max(bytes, 65_536), inodes: 2))
        }
    }

    /// What downloads under way have taken; where they fail, that is free again and was still not enough.
    private func roomOfPartials(in container: Container) -> Room {
        var room = Room()
        for partial in livePartials.values where partial.container == container {
            room.bytes += size(of: partial)
            room.inodes += 1
        }
        return room
    }

    /// How much has been written to it.
    func size(of partial: Partial) -> Int64 {
        // One whose size cannot be told counts for nothing: then a trouble may be forgotten too early, and is noted again.
        (try? partial.descriptor.status().size) ?? 0
    }

    /// One for each container that cannot be written to now, and for those that had no room and have none yet.
    func containerProblems(isFallbackUsable: Bool) -> [CacheProblem] {
        // Those that were never written to are looked at as well: a wrong right or mount is best told at once.
        let found = Set(containersOnDisk().found).union(troubles.containers)
            .filter { isFallbackUsable || $0.kind == .provisioned }
        var problems: [CacheProblem] = []
        for container in found.sorted(by: { options.path(of: $0) < options.path(of: $1) }) {
            if let failure = failure(of: container) { problems.append(problem(container, failure)) }
            if problems.count == Self.toldProblems { break }
        }
        return problems
    }

    /// A hundred containers that cannot be written to have one reason.
    private static let toldProblems = 100

    /// Why a container cannot be written to now; what it had trouble with is tried again. Nil where all is well.
    private func failure(of container: Container) -> CacheFailure? {
        guard let trouble = troubles[container] else {
            do throws(CacheFailure) { try checkWritable(container) } catch {
                return error.isUnwritable || error.isObstructed ? error : nil
            }
            return nil
        }
        guard troubles.beginTrial(in: container, every: options.trialInterval, at: .now) else { return trouble.failure }
        do throws(CacheFailure) {
            let directory = try ContainerDirectory.make(container, options)
            if trouble.failure.kind == .noSpace { try checkFloors(directory, beside: trouble.needed) }
            try classified { () throws(SystemError) in try tryWriting(directory) }
            troubles.end(in: container)
        } catch {
            let isTold = error.kind == .noSpace || error.isUnwritable || error.isObstructed
            if isTold { troubles.note(error, in: container) } else { troubles.end(in: container) }
        }
        return troubles[container]?.failure
    }

    /// Looks only; makes nothing.
    private func checkWritable(_ container: Container) throws(CacheFailure) {
        let cache = try ContainerDirectory.open(container, options)?.root
        try classified { () throws(SystemError) in
            let directory = if let cache { cache } else { try Directory.open(options.path(of: container)) }
            try directory.checkWritable()
        }
    }

    /// Writes a block durably, and removes it again: what a right that is missing, a quota or a broken disk does not
    /// let pass.
    private func tryWriting(_ directory: ContainerDirectory) throws(SystemError) {
        for part in [
            directory.root, try directory.existing(ContainerLayout.objects),
            try directory.existing(ContainerLayout.stories),
        ] {
            try part?.checkWritable()
        }
        try checkFolders(directory)
        let partials = try directory.partials()
        let name = AtomicFile.temporaryName()
        let file = try partials.openFile(
            name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: ContainerDirectory.fileMode)
        // What cannot be removed now goes at the next start.
        defer { _ = try? partials.remove(name) }
        try file.write(Self.block)
        try file.synchronize()
    }

    /// Throws where something else is in the place of a directory of objects.
    private func checkFolders(_ directory: ContainerDirectory) throws(SystemError) {
        guard let objects = try directory.existing(ContainerLayout.objects) else { return }
        for name in try objects.names() where name.utf8.count == 2 {
            if let kind = try objects.status(of: name)?.kind, kind != .directory {
                throw SystemError("open", path: objects.subpath(name), code: ENOTDIR)
            }
        }
    }

    /// What any filesystem must find new room for.
    static let block = [UInt8](repeating: 0, count: 4096)

    private func problem(_ container: Container, _ failure: CacheFailure) -> CacheProblem {
        let whose = container.group.map { "group \($0)" } ?? "stories without a group"
        let path = options.path(of: container)
        let isFull = failure.kind == .noSpace
        let what = isFull ? "has no room" : "cannot be written to"
        return CacheProblem(
            code: isFull ? .containerFull : .containerUnwritable,
            message: "the container of \(whose), \(path), \(what): \(failure.message). \(Self.remedy(failure))")
    }

    /// What an operator can do about a failed write.
    static func remedy(_ failure: CacheFailure) -> String {
        switch failure.code {
        case nil where failure.kind == .noSpace:
            "Make room on its filesystem, or have less of it kept (cache.min_free_bytes, cache.min_free_inodes)."
        case ENOSPC: "Make room on its filesystem."
        case EDQUOT: "Make room, or raise the quota of user \(geteuid())."
        case EROFS: "Mount its filesystem read-write."
        case EACCES, EPERM: "Let the daemon's user (\(geteuid())) write there."
        case ENOTDIR, ELOOP, EISDIR: "Something else is in its place: move that away."
        default: "See the kernel's log: the disk may be failing."
        }
    }
}
