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
                try copy(file, as: entry.object, to: container, usedAt: now)
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
    ) async -> [Container: Result<HeldObject, CacheFailure>] {
        var results: [Container: Result<HeldObject, CacheFailure>] = [:]
        for container in containers where results[container] == nil {
            do throws(CacheFailure) {
                let hold = holds.hold(object.content, in: container)
                if try isInPlace(partial, in: container) {
                    try await make(ObjectPlacement(of: partial, as: object, usedAt: freshness.obtainedAt))
                } else {
                    try copy(
                        partial.descriptor, as: object, to: container, usedAt: freshness.obtainedAt, inPlaceOf: partial)
                }
                results[container] = .success(HeldObject(object: object, hold: hold))
            } catch {
                results[container] = .failure(error)
            }
        }
        remove(partial)
        if results.values.contains(where: { (try? $0.get()) != nil }) {
            index.use(orElse: ()) { index throws(DatabaseError) in
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
                // The same size, time of change and inode as when this process saw it whole: it is as it was. Else only its
                // bytes can tell.
                if status.modified == entry.modified, seenWhole[entry.container]?[object.content] == status.inode {
                    return file
                }
                if try file.content() == object.content {
                    seenWhole[entry.container, default: [:]][object.content] = status.inode
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
        seenWhole[entry.container]?[entry.object.content] = nil
        knownBytes -= entry.object.bytes
        index.use(orElse: ()) { index throws(DatabaseError) in try index.forget(entry.object, in: entry.container) }
    }

    /// Copies a whole file into `container`, as `object`. Room for it may be kept in the name of `original`.
    private func copy(
        _ file: Descriptor, as object: StoredObject, to container: Container, usedAt moment: Timestamp,
        inPlaceOf original: Partial? = nil
    ) throws(CacheFailure) {
        let copy = try makePartial(in: container)
        defer { remove(copy) }
        reservations[copy.name] = original.flatMap { reservations[$0.name]?.removeValue(forKey: container) }.map {
            [container: $0]
        }
        try writing(to: container, bytes: object.bytes) { () throws(CacheFailure) in
            let content = try classified { () throws(SystemError) in try file.copy(to: copy.descriptor) }
            guard content == object.content else {
                noteCorrupt(object, in: container)
                throw CacheFailure(.io, "\(object.file) was read with other bytes than it was written with")
            }
        }
        try makeNow(ObjectPlacement(of: copy, as: object, usedAt: moment))
    }

    /// Whether a partial still is where it was made, and that is in `container`: which may have been removed under it.
    private func isInPlace(_ partial: Partial, in container: Container) throws(CacheFailure) -> Bool {
        guard partial.container == container else { return false }
        return try writing(to: container) { () throws(CacheFailure) in
            let directory = try ContainerDirectory.make(container, options)
            return try classified { () throws(SystemError) in
                let inode = try partial.descriptor.status().inode
                return try directory.partials().status(of: partial.name)?.inode == inode
            }
        }
    }
}
