import Glibc
package import Hashing
import Platform
import Stories

// Every object is read and its bytes held to its name. One piece of a file, or one small file, is read in a turn of this
// actor, so that whoever waits for the thread waits no longer than that takes. What the index does not know is passed
// over: no story holds it, and the next start removes it.

extension CacheStorage {
    /// The next contents in order, from after `content`; a slice, empty at the end.
    package func contents(after content: ContentID?) -> [ContentID] {
        index.use(orElse: []) { index throws(DatabaseError) in
            try index.contents(after: content, limit: Self.slice)
        }
    }

    /// Reads all copies of a content. Answers how many were to be there and the bytes they have together, and those that
    /// are not there, or were damaged: these are removed, and the index knows them no more.
    package func verify(_ content: ContentID) async -> (checked: Int, bytes: Int64, lost: [LostObject]) {
        let entries = index.use(orElse: [Index.Entry]()) { index throws(DatabaseError) in
            try index.entries(of: content)
        }
        var (checked, bytes) = (0, Int64(0))
        var lost: [LostObject] = []
        for entry in entries {
            // Each after a turn of somebody else.
            await Task.yield()
            do throws(CacheFailure) {
                guard let condition = try await condition(of: entry) else { continue }
                checked += 1
                bytes += entry.object.bytes
                if condition != .whole { lost.append(lose(entry, condition)) }
            } catch {
                log.warning("not verified: \(error)")
            }
        }
        return (checked, bytes, lost)
    }

    /// Looks at the files of the next contents in order, from after `content`, without reading them: whether they are
    /// there and as large as they must be. Answers the last of the contents, nil at the end, and those that are not.
    package func look(after content: ContentID?) -> (last: ContentID?, lost: [LostObject]) {
        let contents = contents(after: content)
        var lost: [LostObject] = []
        for content in contents {
            let entries = index.use(orElse: [Index.Entry]()) { index throws(DatabaseError) in
                try index.entries(of: content)
            }
            for entry in entries {
                // What cannot be looked at is told of its container. One that is gone as a whole goes another way.
                guard isThere(entry.container) == true, let appearance = try? appearance(of: entry),
                    appearance.condition != .whole
                else { continue }
                lost.append(lose(entry, appearance.condition))
            }
        }
        return (contents.last, lost)
    }

    /// What stories hold although their containers do not have it, nor the index: found missing by others.
    package func missing() -> [LostObject] {
        index.use(orElse: []) { index throws(DatabaseError) in
            var missing: [LostObject] = []
            for (content, container) in try index.unmetPins() {
                let holders = try index.holders(of: content).filter { $0.container == container }
                missing.append(
                    LostObject(content: content, container: container, holders: holders, isRemoved: true))
            }
            return missing
        }
    }

    private enum Condition {
        case whole, damaged, missing
    }

    /// How the file of an entry is by its looks; `whole` as far as these tell. Throws where nothing can be said of it,
    /// such as in a directory that cannot be opened.
    private func appearance(
        of entry: Index.Entry
    ) throws(CacheFailure) -> (condition: Condition, objects: Directory?, inode: UInt64) {
        let object = entry.object
        guard let directory = try ContainerDirectory.open(entry.container, options),
            let objects = try classified({ () throws(SystemError) in
                try directory.existing(ContainerLayout.objects, object.directoryName)
            }),
            let status = try classified({ () throws(SystemError) in try objects.status(of: object.fileName) })
        else { return (.missing, nil, 0) }
        let isFitting = status.kind == .regular && status.size == object.bytes
        return (isFitting ? .whole : .damaged, objects, status.inode)
    }

    /// How the file of an entry is; nil where it was removed or replaced while it was read. Throws as above.
    private func condition(of entry: Index.Entry) async throws(CacheFailure) -> Condition? {
        guard isKnown(entry) else { return nil }
        let object = entry.object
        let (condition, objects, inode) = try appearance(of: entry)
        guard condition == .whole, let objects else { return condition }
        do throws(SystemError) {
            let file = try objects.openRegularFile(object.fileName)
            var reader = ContentReader(file)
            while try !reader.readPiece() { await Task.yield() }
            // It may have been removed to make room, and have come again.
            guard isKnown(entry), try objects.status(of: object.fileName)?.inode == inode else { return nil }
            return reader.content == object.content ? .whole : .damaged
        } catch {
            // A disk that gives back no bytes, and a file that even its owner may not read: both are of no use.
            if [EIO, EACCES, ELOOP, EINVAL].contains(error.code) { return .damaged }
            throw CacheFailure(error)
        }
    }

    private func isKnown(_ entry: Index.Entry) -> Bool {
        index.use(orElse: false) { index throws(DatabaseError) in
            try index.entries(of: entry.object.content).contains {
                $0.container == entry.container && $0.object == entry.object
            }
        }
    }

    /// Removes what is damaged, and forgets it.
    private func lose(_ entry: Index.Entry, _ condition: Condition) -> LostObject {
        let isRemoved = condition == .missing || remove(entry)
        switch condition {
        case .damaged: noteCorrupt(entry.object, in: entry.container)
        // Of a container that is gone as a whole that is told instead.
        case .missing where isThere(entry.container) != false: noteRemoved(entry.object, in: entry.container)
        case .missing, .whole: break
        }
        if isRemoved { knownBytes -= entry.object.bytes }
        return index.use(
            orElse: LostObject(content: entry.object.content, container: entry.container, holders: [], isRemoved: false)
        ) { index throws(DatabaseError) in
            let holders = try index.holders(of: entry.object.content).filter { $0.container == entry.container }
            if isRemoved { try index.forget(entry.object, in: entry.container) }
            return LostObject(
                content: entry.object.content, container: entry.container, holders: holders, isRemoved: isRemoved)
        }
    }

    private func remove(_ entry: Index.Entry) -> Bool {
        do throws(CacheFailure) {
            let directory = try ContainerDirectory.open(entry.container, options)
            try classified { () throws(SystemError) in
                let objects = try directory?.existing(ContainerLayout.objects, entry.object.directoryName)
                // A directory has been put in its place; whoever did that may want it.
                if try objects?.status(of: entry.object.fileName)?.kind == .directory { return }
                try objects?.remove(entry.object.fileName)
            }
            log.warning("\(options.path(of: entry.container)): \(entry.object.file) is damaged and given up")
            return true
        } catch {
            log.error("\(entry.object.file) is damaged, and cannot be removed: \(error)")
            return false
        }
    }
}
