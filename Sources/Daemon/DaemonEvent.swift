import ControlAPI
import Inbox
import MediaCache
import Platform
import Prefetching
import Stories

/// Something that has happened in one of the daemon's parts, and when.
struct DaemonEvent: Sendable {
    /// Which part tells of it.
    enum Happening: Sendable {
        case story(StoryEvent)
        case cache(CacheEvent)
        case rejection(Rejection)
    }

    let at: Timestamp
    let happening: Happening

    init(at: Timestamp, _ happening: Happening) {
        self.at = at
        self.happening = happening
    }

    /// Where it happened; nil where that is no single container.
    var container: Container? {
        switch happening {
        case .story(let event): event.container
        case .cache(.evicted(_, _, let container)): container
        case .cache(.corrupt(_, let container)): container
        case .rejection: nil
        }
    }

    /// Whether it is for a reader who may see the stories of these containers; nil: who may see everything. What belongs
    /// to no container has no group that could say who may know of it: it is for these alone.
    func isFor(_ visible: Set<Container>?) -> Bool {
        guard let visible else { return true }
        return container.map { visible.contains($0) } ?? false
    }

    /// As it is told.
    var event: Event {
        switch happening {
        case .story(let event):
            Event(
                at: at.description, group: event.key.group?.description, id: event.key.id.description,
                Self.news(event.news))
        case .cache(.evicted(let removal, let story, let container)):
            Event(
                at: at.description, group: container?.group?.description, id: story?.description,
                .cacheEvicted(objects: removal.objects, bytes: Int(removal.bytes)))
        case .cache(.corrupt(let file, let container)):
            Event(at: at.description, group: container.group?.description, .cacheCorrupt(file: file))
        case .rejection(let rejection):
            Event(
                at: at.description, group: rejection.group?.description,
                .payloadRejected(file: rejection.file, code: rejection.code, message: rejection.message))
        }
    }

    private static func news(_ news: StoryEvent.News) -> Event.News {
        switch news {
        case .accepted(let record): .storyAccepted(Event.Story(record))
        case .settled(let record): .storySettled(Event.Story(record))
        case .updated(let record): .storyUpdated(Event.Story(record))
        case .progress(let page, let bytes, let total): .pageProgress(Event.Page(page, bytes: bytes, total: total))
        case .attemptFailed(let page): .pageProgress(Event.Page(page))
        case .pageEnded(let page):
            page.state.isCached ? .pageCached(Event.Page(page)) : .pageFailed(Event.Page(page))
        case .deleted(let evicted): .storyDeleted(evicted: evicted)
        }
    }
}

extension Event.Story {
    init(_ record: StoryRecord) {
        self.init(
            revision: record.revision, state: record.state.rawValue, pages: record.pages, cached: record.cached)
    }
}

extension Event.Page {
    /// A page that bytes have come for.
    init(_ page: ManifestPage, bytes: Int64, total: Int64?) {
        self.init(
            index: page.page.index, state: page.state.name, bytes: Int(bytes), total: total.map(Int.init),
            code: page.state.error?.code.rawValue)
    }

    /// A page as its manifest tells of it.
    init(_ page: ManifestPage) {
        let bytes = page.state.image?.bytes
        self.init(
            index: page.page.index, state: page.state.name, bytes: bytes ?? 0, total: bytes,
            code: page.state.error?.code.rawValue, retryAt: page.state.error?.retryAt?.description)
    }
}
