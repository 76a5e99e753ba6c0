import Addresses
import ControlAPI
import ControlServer
import Hashing
import ImageInspection
import MediaCache
import Platform
import Prefetching
import Stories

// What the cache knows of a URL.
extension DaemonService {
    func media(_ url: String, for peer: Peer) async throws(APIError) -> MediaReport {
        let configuration = daemon.configuration.withLock { $0 }
        let key: String
        do throws(WebURL.Problem) {
            let wanted = try WebURL(url, maximumBytes: configuration.limits.urlBytes)
            key = wanted.key(ignoring: configuration.cache.ignoreQueryParameters)
        } catch {
            throw .badRequest("url: \(error)")
        }
        guard let media = await daemon.storage.media(key) else {
            return MediaReport(url: key, state: await daemon.prefetcher.isKnownAbsent(key) ? .negative : .absent)
        }
        let visible = await visible(of: Set(media.containers + media.holders.map(\.container)), to: peer)
        func isVisible(_ container: Container) -> Bool { visible?.contains(container) != false }
        return MediaReport(
            url: key, state: media.freshness.isFresh(at: .now()) ? .fresh : .stale,
            object: MediaReport.Object(media.object),
            groups: media.containers.filter(isVisible).map { $0.group?.description },
            etag: media.freshness.etag, lastModified: media.freshness.lastModified,
            obtainedAt: media.freshness.obtainedAt.description, freshUntil: media.freshness.freshUntil.description,
            stories: media.holders.filter { isVisible($0.container) }.map {
                MediaReport.Holder(id: $0.id.description, group: $0.container.group?.description)
            })
    }
}

extension MediaReport.Object {
    init(_ object: StoredObject) {
        self.init(
            file: object.file, bytes: Int(object.bytes), mediaType: object.header.type.mediaType,
            width: object.header.width, height: object.header.height, frames: object.header.frames,
            contentID: object.content.hex)
    }
}
