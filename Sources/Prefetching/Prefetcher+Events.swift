import MediaCache
import Stories

// What is told of stories as it happens. A page's end and a revision are told when the manifest that says so is on disk,
// in the order of the revisions: who hears of it finds it there, and each is told once however often a write is tried.
extension Prefetcher {
    /// Tells what a revision that is on disk has brought: the story's acceptance, then its pages, then the revision itself.
    func tellRevision(_ record: StoryRecord, _ manifest: Manifest, of story: LiveStory, isFirst: Bool, settles: Bool) {
        guard listener.isListening() else { return }
        func tell(_ news: StoryEvent.News) {
            listener.tell(StoryEvent(key: record.key, container: record.container, news: news))
        }
        if isFirst {
            tell(.accepted(record))
            for page in manifest.pages where page.state.isCached { tell(.pageEnded(page)) }
        } else {
            for (place, roundIsOver) in story.newsOfRevision.sorted(by: { $0.key < $1.key }) {
                tell(roundIsOver ? .pageEnded(manifest.pages[place]) : .attemptFailed(manifest.pages[place]))
            }
        }
        if settles { tell(.settled(record)) } else if !isFirst { tell(.updated(record)) }
    }

    /// Tells the pages that wait for a transfer how far it has come; never less than was told of it before.
    func progressed(_ start: FetchQueue.Start, bytes: Int64, total: Int64?, _ told: ToldProgress) {
        guard queue.isRunning(start), told.reaches(bytes) else { return }
        for waiter in queue.waiters(for: start.key) {
            guard let story = story(of: waiter) else { continue }
            listener.tell(
                StoryEvent(
                    key: story.key, container: story.container,
                    news: .progress(story.manifest.pages[waiter.page], bytes: bytes, total: total)))
        }
    }
}
