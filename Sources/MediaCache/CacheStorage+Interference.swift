import Glibc
import Platform
package import Stories

// What others do to containers while the daemon runs. Whether a directory is the one it was costs three system calls, so
// it is looked at whenever somebody asks for the status, and every few seconds.
extension CacheStorage {
    /// What others have done and is not mended yet, or was mended just now; for people.
    func interferences() -> [String] {
        lookForRemovedContainers()
        obstructions = obstructions.filter(isObstructed)
        return removedContainers.values.sorted() + interference.told(at: .now) + index.interference.told(at: .now)
            + [stateObstacle].compactMap { $0 } + obstructions.sorted().map(Self.complaint)
    }

    /// Looks for containers that are others than they were. Where one was removed or replaced, or has objects that the
    /// index does not know, `needsRecovery` from then on. Answers the stories of those that are others than they were, or
    /// new; where there are none, of one of those that are as they were, which takes turns. Where these are not those that
    /// are known, somebody has been at it. A container is read in slices, between which others have the thread.
    package func noticeContainers() async -> [Container: [StoryID]] {
        lookForRemovedContainers()
        var listed: [Container: [StoryID]] = [:]
        var unchanged: [Container] = []
        for container in containersOnDisk().found {
            do throws(CacheFailure) {
                guard let directory = try ContainerDirectory.open(container, options) else { continue }
                let identity = try classified { () throws(SystemError) in try directory.identity() }
                let former = identities[container]
                if former == identity {
                    unchanged.append(container)
                    continue
                }
                let stories = try await storiesBySlices(directory)
                // What has come into being by the daemon's own hand has nothing in it that the index does not know.
                var isForeign = former != nil
                if !isForeign { isForeign = await !holdsWhatIsKnown(container, directory) }
                if isForeign { index.noteLoss() }
                listed[container] = stories
                // Last: what could not be read is looked at again.
                identities[container] = identity
            } catch {
                log.debug("not looked at: \(error)")
            }
        }
        if listed.isEmpty, !unchanged.isEmpty {
            let turn = lastListed.flatMap(unchanged.firstIndex).map { $0 + 1 } ?? 0
            let container = unchanged[turn % unchanged.count]
            lastListed = container
            do throws(CacheFailure) {
                if let directory = try ContainerDirectory.open(container, options) {
                    listed[container] = try await storiesBySlices(directory)
                }
            } catch {
                log.debug("not looked at: \(error)")
            }
        }
        return listed
    }

    /// As `livingStories`.
    private func storiesBySlices(_ directory: ContainerDirectory) async throws(CacheFailure) -> [StoryID] {
        var living: [StoryID] = []
        for (number, id) in try classified({ () throws(SystemError) in try storyNames(directory) }).enumerated() {
            if number % Self.slice == Self.slice - 1 { await Task.yield() }
            if try classified({ () throws(SystemError) in try hasManifest(id, in: directory) }) { living.append(id) }
        }
        return living
    }

    /// Whether all stories of a container were found when the recovery began; also where it is gone.
    package func hasSearched(_ container: Container) -> Bool {
        searched.contains(container) || isThere(container) == false
    }

    /// Has it told that a story was there and is not any more.
    package func noteVanished(in container: Container) {
        // Of a container that is gone as a whole that is told already.
        guard removedContainers[container] == nil else { return }
        interference.note("stories were removed from \(options.path(of: container))", at: .now)
    }

    /// Has it told that `latest.json` was removed, or did not say what it had been given to say.
    package func noteLatest(in container: Container) {
        guard removedContainers[container] == nil else { return }
        let path = "\(options.path(of: container))/\(ContainerLayout.cache)/\(ContainerLayout.latest)"
        interference.note("\(path) was removed or overwritten, and is written again", at: .now)
    }

    /// Has the stories on disk told to the index again.
    package func requireRecovery() { index.noteLoss() }

    /// Notes which directory the container's is.
    func noteIdentity(_ directory: ContainerDirectory, of container: Container) {
        // Where that cannot be told, it is taken for one that is new when it is looked at next.
        identities[container] = try? directory.identity()
    }

    private func holdsWhatIsKnown(_ container: Container, _ directory: ContainerDirectory) async -> Bool {
        var found = (objects: 0, bytes: Int64(0))
        do throws(SystemError) {
            guard let objects = try directory.existing(ContainerLayout.objects) else { return true }
            for name in try objects.names() {
                await Task.yield()
                try forEachObjectFile(in: name, of: objects) { _, _, status throws(SystemError) in
                    found.objects += 1
                    found.bytes += status.size
                }
            }
        } catch {
            return false
        }
        let known = sums().first { $0.container == container }
        // What is missing is found file by file.
        return found.objects <= known?.objects ?? 0 && found.bytes <= known?.bytes ?? 0
    }

    /// Containers that were there and are not any more: what the index knows of them goes.
    private func lookForRemovedContainers() {
        for container in removedContainers.keys where isThere(container) != false {
            removedContainers[container] = nil
        }
        let sums = sums().filter { $0.objects > 0 }
        for container in Set(identities.keys).union(sums.map(\.container)) where isThere(container) == false {
            identities[container] = nil
            let path = options.path(of: container)
            let sum = sums.first { $0.container == container }
            let message =
                "\(path)/\(ContainerLayout.cache) was removed, with its stories and \(sum?.objects ?? 0) pictures: "
                + "it is made again for the next payload"
            log.warning(message, .group(container.group))
            removedContainers[container] = message
            knownBytes -= sum?.bytes ?? 0
            index.use(orElse: ()) { index throws(DatabaseError) in
                try index.transaction { () throws(DatabaseError) in try index.forgetAll(in: container) }
            }
            index.noteLoss()
        }
    }

    /// Nil where that cannot be told.
    func isThere(_ container: Container) -> Bool? {
        do throws(CacheFailure) { return try ContainerDirectory.open(container, options) != nil } catch { return nil }
    }

    // MARK: In the place of an object

    /// Whether a file has the object's name. What can be none is removed where nobody loses anything by that: a FIFO, an
    /// empty directory. Fails with `refused` where a directory has the name that is not empty.
    func isTaken(_ object: StoredObject, in directory: ContainerDirectory) throws(CacheFailure) -> Bool {
        let name = object.fileName
        return try classified { () throws(SystemError) -> (objects: Directory, kind: FileStatus.Kind)? in
            guard let objects = try directory.existing(ContainerLayout.objects, object.directoryName),
                let kind = try objects.status(of: name)?.kind
            else { return nil }
            switch kind {
            case .directory where try objects.removeDirectory(name): return nil
            case .other where try objects.remove(name): return nil
            default: return (objects, kind)
            }
        }.map { (objects, kind) throws(CacheFailure) in
            if kind == .regular { return true }
            let path = objects.subpath(name)
            // The first ones stand for the rest.
            if obstructions.count < Interference.most { obstructions.insert(path) }
            throw CacheFailure(.refused, Self.complaint(path))
        } ?? false
    }

    /// Forgets an object whose file was not there when it was wanted.
    func forgetMissing(_ entry: Index.Entry) {
        // Of a container that is gone as a whole that is told instead.
        if isThere(entry.container) != false { noteRemoved(entry.object, in: entry.container) }
        forget(entry)
    }

    /// Counts and tells that a file was removed from a container that is there.
    func noteRemoved(_ object: StoredObject, in container: Container) {
        noteCorrupt(object, in: container)
        interference.note("pictures were removed from \(options.path(of: container)): they are fetched again", at: .now)
    }

    private func isObstructed(_ path: String) -> Bool {
        var value = stat()
        return lstat(path, &value) == 0 && value.st_mode & S_IFMT != S_IFREG
    }

    private static func complaint(_ path: String) -> String {
        "\(path), where a picture is to be, is a directory or a link: move it away"
    }
}
