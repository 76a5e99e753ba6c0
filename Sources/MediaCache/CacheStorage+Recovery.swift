import Glibc
package import Platform
package import Stories

extension CacheStorage {
    /// All stories that have a manifest, in all containers. Recovery begins here. Where a container cannot be searched
    /// its stories are not known to be gone: it keeps all it has, and the recovery stays incomplete. What downloads of
    /// earlier processes left to go on with is known from here on.
    package func storiesOnDisk() -> [StoredStory] {
        index.beginRecovery()
        searched = []
        var stories: [StoredStory] = []
        let (containers, failures) = containersOnDisk()
        var obstacles = failures.map { "not searched for containers: \($0)" }
        for container in containers {
            do throws(CacheFailure) {
                if let directory = try ContainerDirectory.open(container, options) {
                    findPartials(in: container, directory)
                    stories += try livingStories(directory).map { StoredStory(id: $0, container: container) }
                    noteIdentity(directory, of: container)
                }
                searched.insert(container)
            } catch {
                obstacles.append("not searched for stories: \(error)")
            }
        }
        // It may be tried again for as long as the daemon runs: what stays as it is, is said once.
        for obstacle in obstacles where !self.obstacles.contains(obstacle) { log.warning(obstacle) }
        self.obstacles = obstacles
        return stories
    }

    /// What downloads left to go on with is worth a few bytes on the wire: where it cannot be found, that keeps nothing
    /// else from being so.
    private func findPartials(in container: Container, _ directory: ContainerDirectory) {
        do throws(SystemError) { try findKept(in: container, directory) } catch {
            log.warning("what broke off begins afresh: \(error)")
        }
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
                let status = try directory?.existing(ContainerLayout.objects, object.directoryName)?.status(
                    of: object.fileName)
                if let status, status.kind == .regular, status.size == object.bytes { present.append(holding) }
            }
            return present
        }
    }

    /// Makes the disk and the index agree, after all stories on disk were adopted: removes what a crash left (partials,
    /// temporary files, objects that nothing knows, empty story directories) and forgets what is not there. Nothing
    /// outside of `pw_stories_cache/` is touched, and no directory that is not empty; nothing in a container that
    /// `storiesOnDisk` could not search.
    ///
    /// Objects that nothing knows are only counted, and left until the next start, where the index did not take all that
    /// it was told, and where this is not the first time since the start: a manifest may be about to name one.
    package func finishRecovery() {
        var removed = 0
        // Without a `pw_stories_cache/`, which may have been removed: whatever the index knows there is gone.
        var empty: Set<Container> = []
        defer { count() }
        for container in searched {
            do throws(CacheFailure) {
                guard let directory = try ContainerDirectory.open(container, options) else {
                    empty.insert(container)
                    continue
                }
                removed += try recover(container, directory)
            } catch {
                log.warning("not cleared of leftovers: \(error)")
            }
        }
        if removed > 0 { log.info("\(removed) files that nothing knows were removed") }
        hasRecoveredOnce = true
        let (containers, failures) = containersOnDisk()
        // A container that cannot be seen may be there.
        guard obstacles.isEmpty, failures.isEmpty else { return }
        let isTidy = index.use(orElse: false) { index throws(DatabaseError) in
            try index.transaction { () throws(DatabaseError) in
                try index.keepOnly(Set(containers).subtracting(empty))
            }
            return true
        }
        if isTidy { index.endRecovery() }
    }

    /// Counts the bytes of all objects: by the index, or on disk where it knows none.
    private func count() {
        keepCount()
        if index.isOpen { return }
        var bytes: Int64 = 0
        for container in searched {
            do throws(CacheFailure) {
                guard let directory = try ContainerDirectory.open(container, options) else { continue }
                try classified { () throws(SystemError) in
                    try forEachObjectFile(in: directory) { _, _, status throws(SystemError) in bytes += status.size }
                }
            } catch {
                log.warning("not all objects are counted: \(error)")
            }
        }
        knownBytes = bytes
    }

    /// The stories of a container that have a manifest, sorted.
    func livingStories(_ directory: ContainerDirectory) throws(CacheFailure) -> [StoryID] {
        try classified { () throws(SystemError) in
            var living: [StoryID] = []
            for id in try storyNames(directory) where try hasManifest(id, in: directory) { living.append(id) }
            return living
        }
    }

    func hasManifest(_ id: StoryID, in directory: ContainerDirectory) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let story = try directory.existing(ContainerLayout.stories, id.description)
            return try story?.status(of: ContainerLayout.manifest)?.kind == .regular
        } catch {
            // Somebody else's file, or a link: no story, and no reason to know nothing of the others.
            if error.code == ENOTDIR || error.code == ELOOP { return false }
            throw error
        }
    }

    /// The names in a container's `stories/` that can be a story's, sorted.
    func storyNames(_ directory: ContainerDirectory) throws(SystemError) -> [StoryID] {
        try directory.existing(ContainerLayout.stories)?.names().compactMap { StoryID($0) }.sorted() ?? []
    }

    /// Gives how many files it removed.
    private func recover(_ container: Container, _ directory: ContainerDirectory) throws(CacheFailure) -> Int {
        let entries = index.use(orElse: [Index.Entry]?.none) { index throws(DatabaseError) in
            try index.entries(in: container)
        }
        // Without an index nothing is known to be left over.
        guard let entries else { return 0 }
        let living = Set(try livingStories(directory))
        var known = Dictionary(uniqueKeysWithValues: entries.map { ($0.object.file, $0.object) })
        var unknown: [UnknownFile] = []
        let maySweep = !hasRecoveredOnce && !index.hasLost
        let removed = try classified { () throws(SystemError) in
            var removed = removePartials(directory)
            try removeEmptyStories(directory, but: living)
            try forEachObjectFile(in: directory) { objects, file, status throws(SystemError) in
                let path = "\(ContainerLayout.objects)/\(file.directory)/\(file.name)"
                if status.kind == .regular, known[path]?.bytes == status.size {
                    known[path] = nil
                } else if maySweep {
                    if try objects.remove(file.name) { removed += 1 }
                } else if let file = UnknownFile(name: file.name, directory: file.directory, status: status) {
                    unknown.append(file)
                }
            }
            // A crash may have come between a mkdir and the fsync that makes it last.
            for parent in [
                container.kind == .fallback ? try Directory.open(options.fallbackDirectory) : nil,
                try Directory.open(options.path(of: container)), directory.root,
                try directory.existing(ContainerLayout.objects), try directory.existing(ContainerLayout.stories),
            ] {
                try parent?.synchronize()
            }
            return removed
        }
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
    func forEachObjectFile(
        in directory: ContainerDirectory,
        _ body: (Directory, (directory: String, name: String), FileStatus) throws(SystemError) -> Void
    ) throws(SystemError) {
        guard let parent = try directory.existing(ContainerLayout.objects) else { return }
        for name in try parent.names() { try forEachObjectFile(in: name, of: parent, body) }
    }

    /// Calls `body` with each file that is in the directory `name` of `objects/`.
    func forEachObjectFile(
        in name: String, of parent: Directory,
        _ body: (Directory, (directory: String, name: String), FileStatus) throws(SystemError) -> Void
    ) throws(SystemError) {
        guard try parent.status(of: name)?.kind == .directory else { return }
        let objects = try parent.directory(name)
        for file in try objects.names() {
            guard let status = try objects.status(of: file), status.kind != .directory else { continue }
            try body(objects, (name, file), status)
        }
    }

    /// Where that cannot be done, no more comes of it than that they stay.
    private func removePartials(_ directory: ContainerDirectory) -> Int {
        var removed = 0
        do throws(SystemError) {
            guard let partials = try directory.existing(ContainerLayout.partials) else { return 0 }
            let kept = kept.names
            for name in try partials.names() {
                let partial = PartialNotes.partialName(of: name)
                guard livePartials[partial] == nil, !kept.contains(partial) else { continue }
                guard try partials.status(of: name)?.kind != .directory else { continue }
                if try partials.remove(name) { removed += 1 }
            }
        } catch {
            log.warning("not cleared of partials: \(error)")
        }
        return removed
    }

    private func removeEmptyStories(_ directory: ContainerDirectory, but living: Set<StoryID>) throws(SystemError) {
        guard let stories = try directory.existing(ContainerLayout.stories) else { return }
        for id in try storyNames(directory) where !living.contains(id) {
            guard try stories.status(of: id.description)?.kind == .directory else { continue }
            try stories.removeDirectory(id.description)
        }
    }
}
