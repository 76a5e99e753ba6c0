package import MediaCache
import Platform
package import Stories

extension Prefetcher {
    /// A place in the list of stories, newest first: that of the last story seen.
    package struct Cursor: Sendable, Equatable, CustomStringConvertible {
        let receivedAt: Int64
        let order: Int

        init(_ record: StoryRecord) {
            receivedAt = record.receivedAt.milliseconds
            order = record.order
        }

        /// Reads what `description` wrote; nil for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let receivedAt = Int64(parts[0]), let order = Int(parts[1]) else { return nil }
            self.receivedAt = receivedAt
            self.order = order
        }

        package var description: String { "\(receivedAt)-\(order)" }

        func isBefore(_ record: StoryRecord) -> Bool {
            (record.receivedAt.milliseconds, record.order) < (receivedAt, order)
        }
    }

    /// At most `limit` of the stories that `isWanted`, newest first, from after `cursor`. The second value leads on;
    /// nil where there are no more.
    package func stories(
        limit: Int, after cursor: Cursor?, where isWanted: @Sendable (StoryRecord) -> Bool
    ) -> (records: [StoryRecord], next: Cursor?) {
        let wanted = table.all.filter { isWanted($0) && cursor?.isBefore($0) != false }
            .sorted { $0.isNewer(than: $1) }
        let page = Array(wanted.prefix(limit))
        return (page, page.count < wanted.count ? page.last.map(Cursor.init) : nil)
    }

    /// The stories of that name: one for each group that has it.
    package func stories(named id: StoryID) -> [StoryRecord] {
        table.all.filter { $0.key.id == id }
    }

    /// The manifest's bytes as they are on disk; nil where the story is unknown or gone.
    package func manifestBytes(of key: StoryKey) async throws(CacheFailure) -> [UInt8]? {
        guard let record = table[key] else { return nil }
        return try await storage.manifest(of: key.id, in: record.container)
    }
}
