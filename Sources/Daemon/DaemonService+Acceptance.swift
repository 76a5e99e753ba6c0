import ControlAPI
import ControlServer
import MediaCache
import Platform
import Prefetching
import Stories

// What peers hand in over the socket.
extension DaemonService {
    func accept(_ payload: [UInt8], group: String?, wait: Duration?) async throws(APIError) -> Acceptance {
        try requireRunning()
        let configuration = daemon.configuration.withLock { $0 }
        // As in the inbox: what names no group belongs to the one that is configured.
        let groupID = group.map { GroupID($0) } ?? configuration.appGroup
        let stories: [Story]
        do throws(PayloadRejection) {
            stories = try PayloadParser.stories(from: payload, limits: configuration.payloadLimits)
        } catch {
            throw error.code == .tooLarge ? .tooLarge(error.message) : .badRequest(error.message)
        }
        var accepted: [Acceptance.Story] = []
        var keys: [StoryKey] = []
        do throws(CacheFailure) {
            for story in stories {
                try await daemon.prefetcher.accept(story, group: groupID, receivedAt: .now())
                let key = StoryKey(group: groupID, id: story.id)
                // Gone again where the limits leave it no room.
                let known = await daemon.prefetcher.record(of: key)?.container
                let container = if let known { known } else { try await daemon.storage.container(for: groupID) }
                keys.append(key)
                accepted.append(
                    Acceptance.Story(
                        id: story.id.description, group: groupID?.description,
                        manifest: await daemon.storage.options.manifestPath(of: story.id, in: container)))
            }
        } catch {
            throw .unavailable("the story cannot be taken now: \(error)")
        }
        let settled = if let wait { try await settledManifests(keys, wait) } else { [[UInt8]]?.none }
        return Acceptance(stories: accepted, settled: settled)
    }

    /// The manifests once all are settled; nil where that takes longer than `time`. Throws `notFound` where one of the
    /// stories is removed meanwhile: nobody would find the manifest that it was to be told of.
    private func settledManifests(_ keys: [StoryKey], _ time: Duration) async throws(APIError) -> [[UInt8]]? {
        let prefetcher = daemon.prefetcher
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for key in keys { await prefetcher.untilSettled(key) } }
            // Cancelled where that comes first.
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
        var manifests: [[UInt8]] = []
        for key in keys {
            guard await prefetcher.record(of: key) != nil else {
                throw .notFound("story \(key.id) was removed while it was waited for")
            }
            // One that cannot be read is as one that is not settled: the client may ask for it.
            guard await prefetcher.isSettled(key), let bytes = try? await prefetcher.manifestBytes(of: key) else {
                return nil
            }
            manifests.append(bytes)
        }
        return manifests
    }

    func provision(_ group: String) async throws(APIError) -> (StatusReport.Group, isNew: Bool) {
        guard let id = GroupID(group) else {
            throw .badRequest(
                "\(group) is no group id: a letter or digit, then at most 127 letters, digits, '.', '_' or '-'")
        }
        try requireRunning()
        do throws(CacheFailure) {
            let isNew = try await daemon.storage.provision(id)
            let path = await daemon.storage.options.path(of: try await daemon.storage.container(for: id))
            let known = await status().groups.first { $0.id == group && !$0.fallback }
            let fresh = StatusReport.Group(
                id: group, container: path, fallback: false, stories: 0, objects: 0, bytes: 0)
            return (known ?? fresh, isNew)
        } catch {
            let message = "the group \(group) cannot be provisioned: \(error)"
            throw error.kind == .refused ? .conflict(message) : .failed(message)
        }
    }

    /// Throws `unavailable` before what earlier runs left is taken up, and once the end has begun.
    func requireRunning() throws(APIError) {
        guard daemon.phase.withLock({ $0 == .running }) else {
            throw .unavailable("the daemon is starting or stopping; try again in a moment")
        }
    }
}
