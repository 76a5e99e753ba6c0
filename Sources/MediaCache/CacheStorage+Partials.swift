import Glibc
import Hashing
import Platform
import Stories

// What is left of downloads that broke off, and how it is gone on with. Beside such a partial lie notes. They are written
// as soon as the bytes are, so that the end of the process costs next to nothing; every few of them the bytes are waited
// for. What was on disk before is noted as well, and that is what is left where the machine ends.

extension CacheStorage {
    /// Notes that so much of a partial that is being written to is there, for the next process to go on with, and where that
    /// is much more than before, waits until it is on disk. What fails here costs no more than that.
    package func checkpoint(_ partial: Partial, _ notes: PartialNotes) {
        guard livePartials[partial.name]?.descriptor === partial.descriptor else { return }
        let synced = notes.after(noted[partial.name]?.synced).synced?.bytes ?? 0
        do throws(CacheFailure) {
            try note(partial, notes, waits: notes.bytes - synced >= Self.syncInterval)
        } catch {
            log.debug("not noted how far a download has come: \(error)")
        }
    }

    /// Bytes that come before they are waited for: while that is done nothing can be noted, which on a slow disk is long.
    static let syncInterval: Int64 = 4 << 20

    /// Keeps a partial that nobody writes to any more, so that `resume` can go on with it; where that cannot be done it is
    /// removed, as `discard` does. Answers what has changed by that: for this one, others may have gone.
    package func keep(_ partial: Partial, _ notes: PartialNotes) -> KeptChange {
        do throws(CacheFailure) {
            guard notes.bytes <= options.maxBytes / KeptPartials.share else {
                throw CacheFailure(.tooLarge, "\(notes.bytes) bytes are too many to be kept of a download")
            }
            if noted[partial.name]?.synced != notes { try note(partial, notes, waits: true) }
        } catch {
            log.debug("a part of a download is not kept: \(error)")
            discard(partial)
            return KeptChange(isKept: false, gone: [])
        }
        livePartials[partial.name] = nil
        reservations[partial.name] = nil
        noted[partial.name] = nil
        let new = KeptPartials.Kept(name: partial.name, container: partial.container, notes: notes, since: .now())
        if let former = kept.add(new) { remove(former) }
        let gone = trimKept()
        return KeptChange(isKept: kept[notes.key] != nil, gone: gone)
    }

    /// Removes what is too much, the oldest first; answers the keys.
    @discardableResult
    func trimKept() -> [String] {
        let gone = kept.trim(besides: options.maxBytes)
        for old in gone { remove(old) }
        return gone.map(\.notes.key)
    }

    /// The keys that something is kept for.
    package var keptKeys: Set<String> { kept.keys }

    /// Goes on with what is kept for `key`, in whichever container: its bytes are read, held to the notes and shown to
    /// `take`, piece by piece, beginning with `reader`. Nil where nothing is kept that is as its notes say; then nothing is
    /// kept for it any more.
    package func resume<Reader: Sendable>(
        _ key: String, showing reader: Reader, take: @Sendable (inout Reader, UnsafeRawBufferPointer) -> Void
    ) async -> ResumedPartial<Reader>? {
        guard let kept = kept.remove(key) else { return nil }
        do throws(CacheFailure) {
            let partial = try reopened(kept)
            livePartials[kept.name] = partial
            var candidate: PartialNotes? = kept.notes
            while let notes = candidate {
                var reader = reader
                if let hasher = try await read(partial, notes, { take(&reader, $0) }) {
                    // From here on it is what the next power cut leaves; mostly it is on disk already.
                    try synchronize(partial)
                    noted[kept.name] = NotedPartial(synced: notes.alone)
                    return ResumedPartial(partial, notes, reader, hasher)
                }
                candidate = notes.fallback
            }
            throw CacheFailure(.io, "\(kept.name) is not what its notes say")
        } catch {
            log.info("a download begins afresh: \(error)")
            remove(kept)
            return nil
        }
    }

    /// Opens it for whoever goes on writing.
    private func reopened(_ kept: KeptPartials.Kept) throws(CacheFailure) -> Partial {
        guard let directory = try ContainerDirectory.open(kept.container, options) else {
            throw CacheFailure(.io, "the container of \(kept.name) is gone")
        }
        try checkFloors(directory)
        return try classified { () throws(SystemError) in
            // Non-blocking, as what has the name by now may be a FIFO.
            let file = try directory.partials().openFile(kept.name, flags: O_RDWR | O_NONBLOCK)
            guard try Self.isOurs(file.status()) else { throw SystemError("go on with", path: file.path, code: EINVAL) }
            return Partial(descriptor: file, name: kept.name, container: kept.container)
        }
    }

    /// Cuts the partial to what the notes say, and reads it to its end. Gives what has seen all of it; nil where it does
    /// not begin with what they say.
    private func read(
        _ partial: Partial, _ notes: PartialNotes, _ take: (UnsafeRawBufferPointer) -> Void
    ) async throws(CacheFailure) -> ContentHasher? {
        do throws(SystemError) {
            guard try partial.descriptor.status().size >= notes.bytes else { return nil }
            try partial.descriptor.truncate(to: notes.bytes)
            var reader = ContentReader(partial.descriptor)
            // Whoever waits for the thread has it after each piece.
            while try !reader.readPiece(take) { await Task.yield() }
            let isSame = reader.content == notes.written.content
            return isSame ? reader.taken() : nil
        } catch {
            throw CacheFailure(error)
        }
    }

    /// Whether a file is the daemon's own, under this name alone.
    private static func isOurs(_ status: FileStatus) -> Bool {
        status.kind == .regular && status.owner == geteuid() && status.links == 1
    }

    /// Removes what is kept for these keys: nobody will go on with it.
    package func dropKept(_ keys: [String]) {
        for key in keys {
            if let one = kept.remove(key) { remove(one) }
        }
    }

    /// Removes all that is kept on the filesystem of a container that lacks room: that goes before anything else.
    package func dropKept(for failure: CacheFailure, in container: Container) -> Removal {
        var removal = Removal()
        guard failure.kind == .noSpace, !kept.all.isEmpty, let device = device(of: container) else { return removal }
        for one in kept.all where self.device(of: one.container) == device {
            _ = kept.remove(one.notes.key)
            remove(one)
            removal.objects += 1
            removal.bytes += one.notes.bytes
        }
        return removal
    }

    /// Finds what earlier processes kept in a container. All else in its `.partial/` is for `finishRecovery` to remove.
    func findKept(in container: Container, _ directory: ContainerDirectory) throws(SystemError) {
        guard let partials = try directory.existing(ContainerLayout.partials) else { return }
        let known = kept.names
        for file in try partials.names() where PartialNotes.areNotes(file) {
            let name = PartialNotes.partialName(of: file)
            guard livePartials[name] == nil, !known.contains(name), let status = try partials.status(of: name),
                Self.isOurs(status), let notes = Self.notes(file, in: partials),
                kept[notes.key].map({ $0.notes.bytes < notes.bytes }) != false
            else { continue }
            _ = kept.add(
                KeptPartials.Kept(name: name, container: container, notes: notes, since: status.modified))
        }
        trimKept()
    }

    /// The notes in a file; nil where they cannot be read as such, whatever they are.
    private static func notes(_ file: String, in partials: Directory) -> PartialNotes? {
        // Whatever keeps them from being read, the download begins afresh.
        guard let bytes = try? partials.openRegularFile(file).readAll(limit: PartialNotes.longestFile) else {
            return nil
        }
        return PartialNotes(file: bytes)
    }

    /// Writes down how much of the partial is there, and then perhaps waits until it is on disk. The notes themselves are not
    /// waited for: those before them, or none, do as well.
    private func note(_ partial: Partial, _ notes: PartialNotes, waits: Bool) throws(CacheFailure) {
        if let failure = spoiled[partial.name] { throw failure }
        let synced = noted[partial.name]?.synced
        try write(notes.after(synced), of: partial)
        noted[partial.name] = NotedPartial(synced: synced)
        guard waits else { return }
        try synchronize(partial)
        noted[partial.name] = NotedPartial(synced: notes)
    }

    /// Waits until the partial's bytes are on disk.
    private func synchronize(_ partial: Partial) throws(CacheFailure) {
        do throws(CacheFailure) {
            try classified { () throws(SystemError) in try partial.descriptor.synchronize() }
        } catch {
            // fsync(2) says it once: the one before publishing would say that all is well.
            spoiled[partial.name] = error
            throw error
        }
    }

    private func write(_ notes: PartialNotes, of partial: Partial) throws(CacheFailure) {
        let directory = try ContainerDirectory.open(partial.container, options)
        try classified { () throws(SystemError) in
            guard let directory, let partials = try directory.existing(ContainerLayout.partials),
                try partials.status(of: partial.name)?.inode == partial.descriptor.status().inode
            else { throw SystemError("find", path: partial.descriptor.path, code: ENOENT) }
            let temporary = AtomicFile.temporaryName()
            let file = try partials.openFile(
                temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: ContainerDirectory.fileMode)
            do throws(SystemError) {
                try file.adopt(group: directory.group)
                try file.write(notes.file)
                try partials.rename(temporary, to: PartialNotes.fileName(of: partial.name), in: partials)
            } catch {
                // The failure above is what counts; a temporary that cannot be removed now goes at the next start.
                _ = try? partials.remove(temporary)
                throw error
            }
        }
    }

    private func remove(_ kept: KeptPartials.Kept) {
        livePartials[kept.name] = nil
        noted[kept.name] = nil
        spoiled[kept.name] = nil
        removeFiles(of: kept.name, in: kept.container, hasNotes: true)
    }

    /// Removes a partial's file, and before it its notes, where it has some.
    func removeFiles(of name: String, in container: Container, hasNotes: Bool) {
        do throws(CacheFailure) {
            let directory = try ContainerDirectory.open(container, options)
            try classified { () throws(SystemError) in
                let partials = try directory?.existing(ContainerLayout.partials)
                if hasNotes { try partials?.remove(PartialNotes.fileName(of: name)) }
                try partials?.remove(name)
            }
        } catch {
            log.warning("a partial stays until the next start: \(error)")
        }
    }
}
