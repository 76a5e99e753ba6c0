import ControlAPI
import ControlServer
import Hashing
import MediaCache
import Platform
import Prefetching
import Stories

// Stories as the socket tells of them: to each peer those whose container's group it belongs to.
extension DaemonService {
    func stories(_ query: StoryQuery, for peer: Peer) async throws(APIError) -> StoryPage {
        var cursor: Prefetcher.Cursor?
        if let after = query.after {
            cursor = Prefetcher.Cursor(after)
            guard cursor != nil else { throw .badRequest("after is not a cursor that an earlier answer gave as next") }
        }
        let visible = await visible(of: await daemon.prefetcher.containers, to: peer)
        let (records, next) = await daemon.prefetcher.stories(limit: query.limit, after: cursor) { record in
            (query.state.map { $0 == record.state.rawValue } ?? true)
                && (query.group.map { $0 == record.key.group?.description ?? "" } ?? true)
                && visible?.contains(record.container) != false
        }
        return StoryPage(stories: records.map(StorySummary.init), next: next?.description)
    }

    func manifest(id: String, group: String?, for peer: Peer) async throws(APIError) -> [UInt8] {
        try await manifest(of: try await record(id, group, peer))
    }

    func image(id: String, page: Int, group: String?, for peer: Peer) async throws(APIError) -> PageImage {
        let record = try await record(id, group, peer)
        guard let manifest = try? Manifest(bytes: try await manifest(of: record)) else {
            // It was written by a later version, or not by this program.
            throw .failed("the manifest of story \(id) cannot be read")
        }
        guard let wanted = manifest.pages.first(where: { $0.page.index == page }) else {
            throw .notFound("story \(id) has no page \(page)")
        }
        guard let image = wanted.state.image else {
            throw .notFound("page \(page) of story \(id) is \(wanted.state.name)")
        }
        let file = try await asking("the picture of page \(page) of story \(id) cannot be read") {
            () async throws(CacheFailure) in try await daemon.storage.open(image, in: record.container)
        }
        guard let file else { throw .notFound("the picture of page \(page) of story \(id) is gone from its container") }
        return PageImage(
            file: file, bytes: Int64(image.bytes), mediaType: image.mediaType, contentID: image.contentID.description)
    }

    func delete(id: String, group: String?, for peer: Peer) async throws(APIError) {
        try requireRunning()
        let record = try await record(id, group, peer)
        let wasThere = try await asking("story \(id) cannot be removed") { () async throws(CacheFailure) in
            try await daemon.prefetcher.remove(record.key)
        }
        guard wasThere else { throw .notFound("there is no story \(id)") }
    }

    private func manifest(of record: StoryRecord) async throws(APIError) -> [UInt8] {
        let bytes = try await asking("the manifest of story \(record.key.id) cannot be read") {
            () async throws(CacheFailure) in try await daemon.prefetcher.manifestBytes(of: record.key)
        }
        guard let bytes else { throw .notFound("the manifest of story \(record.key.id) is gone from its container") }
        // Nothing but JSON ever comes back, whatever somebody has made of the file.
        guard (try? Manifest(bytes: bytes)) != nil else {
            throw .failed("the manifest of story \(record.key.id) cannot be read: it is damaged")
        }
        return bytes
    }

    /// What `work` answers; where it fails, the client is told `complaint` and why.
    private func asking<Answer>(
        _ complaint: String, _ work: () async throws(CacheFailure) -> Answer
    ) async throws(APIError) -> Answer {
        do throws(CacheFailure) {
            return try await work()
        } catch {
            throw .failed("\(complaint): \(error)")
        }
    }

    /// The one story of that name that the peer may see.
    private func record(_ id: String, _ group: String?, _ peer: Peer) async throws(APIError) -> StoryRecord {
        let named = if let id = StoryID(id) { await daemon.prefetcher.stories(named: id) } else { [StoryRecord]() }
        let visible = await visible(of: await daemon.prefetcher.containers, to: peer)
        let found = named.filter { record in
            (group.map { $0 == record.key.group?.description ?? "" } ?? true)
                && visible?.contains(record.container) != false
        }
        guard let record = found.first else { throw .notFound("there is no story \(id)") }
        guard found.count == 1 else {
            let groups = found.map { $0.key.group.map { "\"\($0)\"" } ?? "none (group=)" }.sorted()
            throw .conflict("several groups have a story \(id): say which, of \(groups.joined(separator: ", "))")
        }
        return record
    }

    /// Of these containers, those whose stories the peer may see; nil: all.
    func visible(of containers: Set<Container>, to peer: Peer) async -> Set<Container>? {
        let permissions = permissions
        if permissions.mayChange(peer) { return nil }
        let owners = await noteOwners(of: containers)
        return Set(owners.filter { permissions.maySee($0.value, peer) }.keys)
    }

    /// Finds out whose these containers are now, and remembers it; answers the group of each that was ever found.
    @discardableResult
    func noteOwners(of containers: Set<Container>) async -> [Container: UInt32] {
        let found = await daemon.storage.owningGroups(of: containers)
        return daemon.owners.withLock { $0.groups(of: containers, found: found) }
    }
}

extension StorySummary {
    init(_ record: StoryRecord) {
        self.init(
            id: record.key.id.description, group: record.key.group?.description, state: record.state.rawValue,
            settled: record.settled, pages: record.pages, cached: record.cached, revision: record.revision,
            title: record.title, receivedAt: record.receivedAt.description, updatedAt: record.updatedAt.description)
    }
}
