import Glibc
package import Platform
import Stories

extension CacheStorage {
    /// The object that `key` gives without a request: fresh by the index, or obtained since it has been wanted, and
    /// whole. Where another container alone has it, this one gets a copy. Nil where it must be fetched.
    package func fresh(
        _ key: String, in container: Container, wantedSince moment: Timestamp, now: Timestamp
    ) throws(CacheFailure) -> HeldObject? {
        let entries = index.use(orElse: [Index.Entry]()) { index throws(DatabaseError) in
            guard let source = try index.source(key), source.freshness.serves(wantedSince: moment, at: now) else {
                return []
            }
            return try index.entries(of: source.content)
        }
        return try served(from: entries, in: container, now: now)
    }

    /// Gives `container` a copy of an object that another one has: for those who waited for the same download, however
    /// short it may be kept. Nil where no container has it whole.
    package func share(
        _ object: StoredObject, with container: Container, now: Timestamp
    ) throws(CacheFailure) -> HeldObject? {
        let entries = index.use(orElse: [Index.Entry]()) { index throws(DatabaseError) in
            try index.entries(of: object.content)
        }
        return try served(from: entries, in: container, now: now)
    }

    /// The first of `entries` that is whole, copied into `container` where it is in none but others.
    private func served(
        from entries: [Index.Entry], in container: Container, now: Timestamp
    ) throws(CacheFailure) -> HeldObject? {
        // Its own copy first: that costs a stat.
        let own = entries.filter { $0.container == container }
        for entry in own + entries.filter({ $0.container != container }) {
            let file: Descriptor
            do throws(CacheFailure) {
                guard let whole = try whole(entry, now: now) else { continue }
                file = whole
            } catch {
                // What is wrong with another container is not this one's failure.
                if entry.container == container { throw error }
                continue
            }
            let hold = holds.hold(entry.object.content, in: container)
            if entry.container == container {
                index.use(orElse: ()) { index throws(DatabaseError) in try index.touch(entry, usedAt: now) }
            } else {
                let copy = try copied(file, as: entry.object, to: container)
                index.use(orElse: ()) { index throws(DatabaseError) in try index.put(copy, usedAt: now) }
            }
            return HeldObject(object: entry.object, hold: hold)
        }
        return nil
    }

    /// Opens a new file for a download. Fails with `noSpace` where the filesystem has less left than objects leave free.
    package func makePartial(in container: Container) throws(CacheFailure) -> Partial {
        try writing(to: container) { () throws(CacheFailure) in try newPartial(in: container) }
    }

    private func newPartial(in container: Container) throws(CacheFailure) -> Partial {
        let directory = try ContainerDirectory.make(container, options)
        try makingRoom(in: container) { () throws(CacheFailure) in try checkFloors(directory) }
        let partial = try classified { () throws(SystemError) in
            let partials = try directory.partials()
            let name = AtomicFile.temporaryName()
            let descriptor = try partials.openFile(
                name, flags: O_RDWR | O_CREAT | O_EXCL, mode: ContainerDirectory.fileMode)
            return Partial(descriptor: descriptor, name: name, container: container)
        }
        livePartials[partial.name] = partial
        do throws(CacheFailure) {
            try classified { () throws(SystemError) in try partial.descriptor.adopt(group: directory.group) }
        } catch {
            remove(partial)
            throw error
        }
        return partial
    }

    /// Removes a partial that will not be published. `triesRoom`: whoever received it gave up as nothing more could be
    /// written to it; where another block fails likewise, this is the reason.
    @discardableResult
    package func discard(_ partial: Partial, triesRoom: Bool = false) -> CacheFailure? {
        defer { remove(partial) }
        guard triesRoom else { return nil }
        do throws(CacheFailure) {
            try writing(to: partial.container, bytes: size(of: partial)) { () throws(CacheFailure) in
                try classified { () throws(SystemError) in try partial.descriptor.write(Self.block) }
            }
            return nil
        } catch {
            return error
        }
    }

    private func remove(_ partial: Partial) {
        livePartials[partial.name] = nil
        reservations[partial.name] = nil
        spoiled[partial.name] = nil
        let hasNotes = noted.removeValue(forKey: partial.name) != nil
        removeFiles(of: partial.name, in: partial.container, hasNotes: hasNotes)
    }

    /// Puts a finished download under its name in each of `containers`, each with a copy of its own, and notes that
    /// `key` gave it. An object is returned when it is on disk (`strict`). Where the name is taken by the same bytes,
    /// that file is kept. The partial is used up, whatever the result; one container's failure is its own.
    package func publish(
        _ partial: Partial, as object: StoredObject, key: String, freshness: Freshness,
        into containers: [Container]
    ) -> [Container: Result<HeldObject, CacheFailure>] {
        var results: [Container: Result<HeldObject, CacheFailure>] = [:]
        var entries: [Index.Entry] = []
        for container in containers where results[container] == nil {
            reservations[partial.name]?[container] = nil
            do throws(CacheFailure) {
                let hold = holds.hold(object.content, in: container)
                let entry = try writing(to: container, bytes: object.bytes) { () throws(CacheFailure) in
                    let isOwn = container == partial.container ? try isInPlace(partial) : false
                    return isOwn
                        ? try placed(partial, as: object)
                        : try copied(partial.descriptor, as: object, to: container)
                }
                entries.append(entry)
                results[container] = .success(HeldObject(object: object, hold: hold))
            } catch {
                results[container] = .failure(error)
            }
        }
        remove(partial)
        // Bytes and names first, the index last: it never knows of what is not there.
        index.use(orElse: ()) { index throws(DatabaseError) in
            if entries.isEmpty { return }
            try index.transaction { () throws(DatabaseError) in
                for entry in entries { try index.put(entry, usedAt: freshness.obtainedAt) }
                try index.setSource(key, content: object.content, freshness)
            }
        }
        return results
    }

    /// The file of `entry`, if it is there and its bytes are what its name says; what is not is forgotten.
    func whole(_ entry: Index.Entry, now: Timestamp) throws(CacheFailure) -> Descriptor? {
        let object = entry.object
        guard let directory = try ContainerDirectory.open(entry.container, options),
            let objects = try classified({ () throws(SystemError) in
                try directory.existing(ContainerLayout.objects, object.directoryName)
            }),
            let status = try classified({ () throws(SystemError) in try objects.status(of: object.fileName) })
        else {
            forgetMissing(entry)
            return nil
        }
        return try classified { () throws(SystemError) in
            if status.kind == .regular, status.size == object.bytes {
                let file = try objects.openRegularFile(object.fileName)
                // The same size and time of change: it is as it was. Else only its bytes can tell.
                if status.modified == entry.modified { return file }
                if try file.content() == object.content {
                    let entry = Index.Entry(container: entry.container, object: object, modified: status.modified)
                    index.use(orElse: ()) { index throws(DatabaseError) in try index.put(entry, usedAt: now) }
                    return file
                }
            }
            log.warning("\(objects.subpath(object.fileName)) is damaged: removed")
            noteCorrupt(object, in: entry.container)
            if status.kind != .directory { try objects.remove(object.fileName) }
            forget(entry)
            return nil
        }
    }

    func forget(_ entry: Index.Entry) {
        knownBytes -= entry.object.bytes
        index.use(orElse: ()) { index throws(DatabaseError) in try index.forget(entry.object, in: entry.container) }
    }

    /// Copies a whole file into `container`, as `object`.
    private func copied(
        _ file: Descriptor, as object: StoredObject, to container: Container
    ) throws(CacheFailure) -> Index.Entry {
        let copy = try makePartial(in: container)
        do throws(CacheFailure) {
            let entry = try writing(to: container, bytes: object.bytes) { () throws(CacheFailure) in
                let content = try classified { () throws(SystemError) in try file.copy(to: copy.descriptor) }
                guard content == object.content else {
                    noteCorrupt(object, in: container)
                    throw CacheFailure(.io, "\(object.file) was read with other bytes than it was written with")
                }
                return try placed(copy, as: object)
            }
            livePartials[copy.name] = nil
            return entry
        } catch {
            remove(copy)
            throw error
        }
    }

    /// Whether a partial still is where it was made: its container may have been removed under it.
    private func isInPlace(_ partial: Partial) throws(CacheFailure) -> Bool {
        let directory = try ContainerDirectory.make(partial.container, options)
        return try classified { () throws(SystemError) in
            let inode = try partial.descriptor.status().inode
            return try directory.partials().status(of: partial.name)?.inode == inode
        }
    }

    /// Moves a partial to its object's name, durably; where the name is taken by the same bytes, these stay and the
    /// partial goes.
    private func placed(_ partial: Partial, as object: StoredObject) throws(CacheFailure) -> Index.Entry {
        let isStrict = options.durability == .strict
        if isStrict, let failure = spoiled[partial.name] { throw failure }
        let directory = try ContainerDirectory.make(partial.container, options)
        let isTaken = try isTaken(object, in: directory)
        // Once more, as how much it is was not known before.
        if !isTaken {
            try makingRoom(in: partial.container) { () throws(CacheFailure) in
                try checkLimit(object.bytes)
                try checkFloors(directory)
            }
        }
        let file = try classified { () throws(SystemError) in
            if isStrict { try partial.descriptor.synchronize() }
            let partials = try directory.partials()
            let objects = try directory.objects(object.directoryName, isDurable: isStrict)
            if try partials.renameNew(partial.name, to: object.fileName, in: objects) {
                knownBytes += object.bytes
                if isStrict { try objects.synchronize() }
                return partial.descriptor
            }
            // Non-blocking, as what has the name may be a FIFO.
            return try objects.openFile(object.fileName, flags: O_RDONLY | O_NONBLOCK)
        }
        if file !== partial.descriptor {
            guard try isSame(file, as: partial, object, in: directory) else {
                return Index.Entry(
                    container: partial.container, object: object, modified: try modified(partial.descriptor))
            }
            counts.deduplicated += 1
            remove(partial)
        }
        troubles.stored(partial, bytes: object.bytes)
        return Index.Entry(container: partial.container, object: object, modified: try modified(file))
    }

    /// Whether `existing`, which has the object's name, holds the partial's bytes. Where it does not: if its bytes have
    /// that hash too, it stays and this fails; if they have not, it is damaged and the partial takes its place.
    private func isSame(
        _ existing: Descriptor, as partial: Partial, _ object: StoredObject, in directory: ContainerDirectory
    ) throws(CacheFailure) -> Bool {
        let isStrict = options.durability == .strict
        let (isSame, isDamaged) = try classified { () throws(SystemError) in
            guard try existing.status().kind == .regular else {
                throw SystemError("open", path: existing.path, code: ENOTDIR)
            }
            if try existing.holdsSame(as: partial.descriptor) { return (true, false) }
            return (false, try existing.content() != object.content)
        }
        if isSame { return true }
        noteCorrupt(object, in: partial.container)
        guard isDamaged else {
            throw CacheFailure(.collision, "\(object.file) has other bytes of the same hash")
        }
        log.warning("\(existing.path ?? object.file) is damaged: replaced")
        try classified { () throws(SystemError) in
            let objects = try directory.objects(object.directoryName, isDurable: isStrict)
            try directory.partials().rename(partial.name, to: object.fileName, in: objects)
            if isStrict { try objects.synchronize() }
        }
        return false
    }

    private func modified(_ file: Descriptor) throws(CacheFailure) -> Timestamp {
        try classified { () throws(SystemError) in try file.status().modified }
    }
}
