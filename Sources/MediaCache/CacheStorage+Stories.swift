import Glibc
package import Hashing
import JSON
import Platform
package import Stories

extension CacheStorage {
    /// Replaces a story's manifest, durably, and makes `pins` all that it holds. Answers what it held before and does not
    /// any more.
    @discardableResult
    package func writeManifest(
        _ bytes: [UInt8], of story: StoryID, in container: Container, pinning pins: Set<ContentID>
    ) async throws(CacheFailure) -> Set<ContentID> {
        let replacement = FileReplacement(of: .manifest(of: story, pins: pins), by: bytes, in: container)
        try await make(replacement)
        return replacement.released
    }

    /// The manifest of a story as it is on disk; nil where there is none.
    package func manifest(of story: StoryID, in container: Container) throws(CacheFailure) -> [UInt8]? {
        let directory = try ContainerDirectory.open(container, options)
        do throws(SystemError) {
            let folder = try directory?.existing(ContainerLayout.stories, story.description)
            guard let file = try folder?.openRegularFile(ContainerLayout.manifest) else { return nil }
            if let bytes = try file.readAll(limit: Self.manifestLimit) { return bytes }
            throw SystemError("read", path: file.path, code: EFBIG)
        } catch {
            if error.isMissing { return nil }
            throw CacheFailure(error)
        }
    }

    /// Bytes: far above what a manifest can be; a larger file is none of ours.
    private static let manifestLimit = 64 << 20

    /// Removes a story: its manifest, what else it has, its pins, in this order. The objects that it held stay in the
    /// cache. False where there was no manifest. Where this throws the manifest is still there; once that is gone nothing
    /// may keep the story, or `latest.json` would go on naming it.
    @discardableResult
    package func removeStory(_ story: StoryID, in container: Container) throws(CacheFailure) -> Bool {
        let existed = try writing(to: container) { () throws(CacheFailure) in
            let directory = try ContainerDirectory.open(container, options)
            return try classified { () throws(SystemError) in
                guard let stories = try directory?.existing(ContainerLayout.stories),
                    let own = try directory?.existing(ContainerLayout.stories, story.description)
                else { return false }
                let existed = try own.remove(ContainerLayout.manifest)
                do throws(SystemError) {
                    if existed { try own.synchronize() }
                    try stories.removeDirectory(story.description)
                } catch {
                    log.warning("story \(story) is removed, but not all of it: \(error)")
                }
                return existed
            }
        }
        index.use(orElse: ()) { index throws(DatabaseError) in
            try index.transaction { () throws(DatabaseError) in try index.setPins([], of: story, in: container) }
        }
        return existed
    }

    /// Replaces `latest.json`, durably. `decision` grows with each decision on what it is to say: where a newer one has
    /// come before this could be written, it changes nothing.
    package func writeLatest(
        _ bytes: [UInt8], in container: Container, decision: Int
    ) async throws(CacheFailure) {
        guard isNewest(decision, in: container) else { return }
        try await make(FileReplacement(of: .latest(decision: decision), by: bytes, in: container))
    }

    /// What a container's `latest.json` says; nil where there is none that can be read, or nothing can be found out.
    package func latest(in container: Container) -> LatestPointer? {
        guard
            let bytes = try? ContainerDirectory.open(container, options)?.root.openRegularFile(ContainerLayout.latest)
                .readAll(limit: Self.latestLimit),
            let object = try? JSONParser.parse(bytes).objectValue
        else { return nil }
        return try? LatestPointer(json: object)
    }

    /// Bytes; a larger file is none of ours.
    private static let latestLimit = 65_536

    /// Removes `latest.json`: no story is left that it could name. `decision` as above.
    package func removeLatest(in container: Container, decision: Int) throws(CacheFailure) {
        guard isNewest(decision, in: container) else { return }
        try writing(to: container) { () throws(CacheFailure) in
            guard let directory = try ContainerDirectory.open(container, options) else { return }
            try classified { () throws(SystemError) in
                // On a read-only filesystem unlink(2) fails whether it is there or not.
                guard try directory.root.status(of: ContainerLayout.latest) != nil else { return }
                if try directory.root.remove(ContainerLayout.latest) { try directory.root.synchronize() }
            }
        }
    }

    private func isNewest(_ decision: Int, in container: Container) -> Bool {
        guard decision >= latestDecisions[container, default: 0] else { return false }
        latestDecisions[container] = decision
        return true
    }
}
