import Glibc
import Platform
import Stories

/// The change that moves a finished partial to the name of its content, and tells the index. Where the name is taken by
/// the same bytes, these stay.
final class ObjectPlacement: DurableChange {
    private let partial: Partial
    private let object: StoredObject
    private let usedAt: Timestamp
    private var directory: ContainerDirectory?
    /// What has the name in the end.
    private var file: Descriptor

    init(of partial: Partial, as object: StoredObject, usedAt: Timestamp) {
        self.partial = partial
        self.object = object
        self.usedAt = usedAt
        file = partial.descriptor
    }

    var container: Container { partial.container }
    var bytes: Int64 { object.bytes }

    func write(_ storage: isolated CacheStorage) throws(CacheFailure) -> [Synchronizer.Target] {
        let isStrict = storage.options.durability == .strict
        if isStrict, let failure = storage.spoiled[partial.name] { throw failure }
        directory = try ContainerDirectory.make(container, storage.options)
        return isStrict ? [.file(partial.descriptor)] : []
    }

    func name(_ storage: isolated CacheStorage) throws(CacheFailure) -> [Synchronizer.Target] {
        guard let directory else { return [] }
        // Once more, as how much it is was not known when it was begun; and here, as those before it in the group have
        // taken theirs.
        if try !storage.isTaken(object, in: directory) {
            let reserved = storage.reservations[partial.name]?[container]?.bytes ?? 0
            try storage.makingRoom(in: container) { () throws(CacheFailure) in
                try storage.checkLimit(object.bytes, reserved: reserved)
                try storage.checkFloors(directory)
            }
        }
        var news: [Synchronizer.Target] = []
        if let existing = try takeName(in: directory, &news) {
            if try isSame(existing, storage) {
                storage.counts.deduplicated += 1
                file = existing
            } else {
                storage.log.warning("\(existing.path ?? object.file) is damaged: replaced")
                try replace(in: directory)
            }
        } else {
            storage.knownBytes += object.bytes
            // The index, which counts it next, may not be there to do so.
            if !storage.index.isComplete { storage.reservations[partial.name]?[container] = nil }
        }
        return storage.options.durability == .strict ? news : []
    }

    func finish(_ storage: isolated CacheStorage) throws(CacheFailure) {
        storage.troubles.stored(partial, bytes: object.bytes)
        let status = try classified { () throws(SystemError) in try file.status() }
        storage.seenWhole[container, default: [:]][object.content] = status.inode
        let entry = Index.Entry(container: container, object: object, modified: status.modified)
        // Bytes and names first, the index last: it never knows of what is not there.
        storage.index.use(orElse: ()) { index throws(DatabaseError) in try index.put(entry, usedAt: usedAt) }
        storage.reservations[partial.name]?[container] = nil
    }

    /// The partial is its owner's to remove.
    func abandon() {}

    /// Gives the partial the object's name; where another has it, that one is given instead.
    private func takeName(
        in directory: ContainerDirectory, _ news: inout [Synchronizer.Target]
    ) throws(CacheFailure) -> Descriptor? {
        do throws(SystemError) {
            let objects = try directory.objects(object.directoryName, &news)
            news.append(.directory(objects))
            if try directory.partials().renameNew(partial.name, to: object.fileName, in: objects) { return nil }
            // Non-blocking, as what has the name may be a FIFO.
            return try objects.openFile(object.fileName, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            throw CacheFailure(error)
        }
    }

    private func replace(in directory: ContainerDirectory) throws(CacheFailure) {
        try classified { () throws(SystemError) in
            guard let objects = try directory.existing(ContainerLayout.objects, object.directoryName) else {
                throw SystemError("open", path: directory.root.subpath(object.file), code: ENOENT)
            }
            try directory.partials().rename(partial.name, to: object.fileName, in: objects)
        }
    }

    /// Whether what has the object's name holds the partial's bytes. Where it does not: if its bytes have that hash too,
    /// it stays and this fails; if they have not, it is damaged.
    private func isSame(_ existing: Descriptor, _ storage: isolated CacheStorage) throws(CacheFailure) -> Bool {
        let (isSame, isDamaged) = try classified { () throws(SystemError) in
            guard try existing.status().kind == .regular else {
                throw SystemError("open", path: existing.path, code: ENOTDIR)
            }
            if try existing.holdsSame(as: partial.descriptor) { return (true, false) }
            return (false, try existing.content() != object.content)
        }
        if isSame { return true }
        storage.noteCorrupt(object, in: container)
        if isDamaged { return false }
        throw CacheFailure(.collision, "\(object.file) has other bytes of the same hash")
    }
}
