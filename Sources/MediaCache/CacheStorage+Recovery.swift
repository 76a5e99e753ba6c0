package import Platform
package import Stories

extension CacheStorage {
    /// All stories that have a manifest, in all containers. Recovery begins here.
    package func storiesOnDisk() -> [StoredStory] {
        index.beginRecovery()
        var stories: [StoredStory] = []
        for (container, directory) in openContainers() {
            for id in storyNames(directory) where hasManifest(id, in: directory) {
                stories.append(StoredStory(id: id, container: container))
            }
        }
        return stories
    }

    /// Tells the index what a manifest on disk holds. Gives the holdings whose file is not there or is of another size:
    /// these are not pinned, and their pages are to be fetched again.
    package func adopt(
        _ holdings: [Holding], of story: StoryID, in container: Container, now: Timestamp
    ) throws(CacheFailure) -> [Holding] {
        let present: [Holding]
        do throws(CacheFailure) {
            present = try self.present(holdings, in: container)
        } catch {
            index.noteLoss()
            throw error
        }
        index.use(orElse: ()) { index throws(DatabaseError) in
            try index.transaction { () throws(DatabaseError) in
                for holding in present {
                    let known = try index.entries(of: holding.object.content)
                    if !known.contains(where: { $0.container == container && $0.object == holding.object }) {
                        // No time of change is the file's: its bytes are looked at before it serves.
                        let unseen = Index.Entry(
                            container: container, object: holding.object, modified: Timestamp(milliseconds: 0))
                        try index.put(unseen, usedAt: now)
                    }
                    try index.assumeSource(holding.key, content: holding.object.content, .assumed(at: now))
                }
                try index.setPins(Set(present.map(\.object.content)), of: story, in: container)
            }
        }
        return holdings.filter { !present.contains($0) }
    }

    /// Those whose file is there with the right size.
    private func present(_ holdings: [Holding], in container: Container) throws(CacheFailure) -> [Holding] {
        let directory = try ContainerDirectory.open(container, options)
        return try classified { () throws(SystemError) in
            var present: [Holding] = []
            for holding in holdings {
                let object = holding.object
                let status = try directory?.existing("objects", object.directoryName)?.status(of: object.fileName)
                if let status, status.kind == .regular, status.size == object.bytes { present.append(holding) }
            }
            return present
        }
    }

    /// Makes the disk and the index agree, after all stories on disk were adopted: removes what a crash left (partials,
    /// temporary files, objects that nothing knows, empty story directories) and forgets what is not there. Nothing
    /// outside of `pw_stories_cache/` is touched, and no directory that is not empty.
    ///
    /// Objects that nothing knows are only counted, and left until the next start, where the index did not take all that
    /// it was told, and where this is not the first time since the start: a manifest may be about to name one.
    package func finishRecovery() {
        let containers = openContainers()
        var removed = 0
        for (container, directory) in containers {
            do throws(CacheFailure) {
                removed += try recover(container, directory)
            } catch {
                log.warning("not cleared of leftovers: \(error)")
            }
        }
        let isTidy = index.use(orElse: false) { index throws(DatabaseError) in
            try index.transaction { () throws(DatabaseError) in try index.keepOnly(Set(containersOnDisk())) }
            return true
        }
        if removed > 0 { log.info("\(removed) files that nothing knows were removed") }
        hasRecoveredOnce = true
        if isTidy { index.endRecovery() }
    }

    /// The containers that have anything, each opened.
    private func openContainers() -> [(Container, ContainerDirectory)] {
        containersOnDisk().compactMap { container in
            do throws(CacheFailure) {
                return try ContainerDirectory.open(container, options).map { (container, $0) }
            } catch {
                log.warning("container passed over: \(error)")
                return nil
            }
        }
    }

    private func hasManifest(_ id: StoryID, in directory: ContainerDirectory) -> Bool {
        do throws(SystemError) {
            let story = try directory.existing("stories", id.description)
            return try story?.status(of: ContainerDirectory.manifestName)?.kind == .regular
        } catch {
            log.warning("story passed over: \(error)")
            return false
        }
    }

    /// Gives how many files it removed.
    private func recover(_ container: Container, _ directory: ContainerDirectory) throws(CacheFailure) -> Int {
        let entries = index.use(orElse: [Index.Entry]?.none) { index throws(DatabaseError) in
            try index.entries(in: container)
        }
        // Without an index nothing is known to be left over.
        guard let entries else { return 0 }
        var known = Dictionary(uniqueKeysWithValues: entries.map { ($0.object.file, $0.object) })
        var unknown: [UnknownFile] = []
        let maySweep = !hasRecoveredOnce && !index.hasLost
        let removed = try classified { () throws(SystemError) in
            var removed = try removePartials(directory)
            try forEachObjectFile(in: directory) { objects, file, status throws(SystemError) in
                let path = "objects/\(file.directory)/\(file.name)"
                if status.kind == .regular, known[path]?.bytes == status.size {
                    known[path] = nil
                } else if maySweep {
                    if try objects.remove(file.name) { removed += 1 }
                } else if let file = UnknownFile(name: file.name, directory: file.directory, status: status) {
                    unknown.append(file)
                }
            }
            // A crash may have come between a mkdir and the fsync that makes it last.
            for parent in [directory.root, try directory.existing("objects"), try directory.existing("stories")] {
                try parent?.synchronize()
            }
            return removed
        }
        let living = try livingStories(directory)
        index.use(orElse: ()) { index throws(DatabaseError) in
            try index.transaction { () throws(DatabaseError) in
                for object in known.values { try index.forget(object, in: container) }
                try index.setUnknown(unknown, in: container)
                for story in try index.pinningStories(in: container) where !living.contains(story) {
                    try index.setPins([], of: story, in: container)
                }
            }
        }
        return removed
    }

    /// Calls `body` with each file that is in a directory of `objects/`.
    private func forEachObjectFile(
        in directory: ContainerDirectory,
        _ body: (Directory, (directory: String, name: String), FileStatus) throws(SystemError) -> Void
    ) throws(SystemError) {
        guard let parent = try directory.existing("objects") else { return }
        for name in try parent.names() where try parent.status(of: name)?.kind == .directory {
            let objects = try parent.directory(name)
            for file in try objects.names() {
                guard let status = try objects.status(of: file), status.kind != .directory else { continue }
                try body(objects, (name, file), status)
            }
        }
    }

    private func removePartials(_ directory: ContainerDirectory) throws(SystemError) -> Int {
        guard let partials = try directory.existing(".partial") else { return 0 }
        var removed = 0
        for name in try partials.names() where !livePartials.contains(name) {
            guard try partials.status(of: name)?.kind != .directory else { continue }
            if try partials.remove(name) { removed += 1 }
        }
        return removed
    }

    /// The stories that have a manifest; the empty directories of others go.
    private func livingStories(_ directory: ContainerDirectory) throws(CacheFailure) -> Set<StoryID> {
        var living: Set<StoryID> = []
        for id in storyNames(directory) {
            if hasManifest(id, in: directory) {
                living.insert(id)
            } else {
                try classified { () throws(SystemError) in
                    guard let stories = try directory.existing("stories"),
                        try stories.status(of: id.description)?.kind == .directory
                    else { return }
                    try stories.removeDirectory(id.description)
                }
            }
        }
        return living
    }
}
