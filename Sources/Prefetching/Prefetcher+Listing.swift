package import MediaCache
import Platform
package import Stories

extension Prefetcher {
    /// A place in the list of stories, newest first: that of the last story seen.
    package struct Cursor: Sendable, Equatable, CustomStringConvertible {
        private let rank: StoryRank

        init(_ record: StoryRecord) {
            rank = record.rank
        }

        /// Reads what `description` wrote; nil for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let receivedAt = Int64(parts[0]), let id = StoryID(parts[2]) else { return nil }
            let group = GroupID(parts[1])
            guard group != nil || parts[1] == "_" else { return nil }
            rank = StoryRank(
                receivedAt: Timestamp(milliseconds: receivedAt), key: StoryKey(group: group, id: id))
        }

        /// The moment, the group and the name; none of them has a `/`.
        package var description: String { "\(rank.receivedAt.milliseconds)/\(rank.key)" }

        func isBefore(_ record: StoryRecord) -> Bool { record.rank < rank }
    }

    /// At most `limit` of the stories that `isWanted`, newest first, from after `cursor`. The second value leads on;
    /// nil where there are no more.
    package func stories(
        limit: Int, after cursor: Cursor?, where isWanted: @Sendable (StoryRecord) -> Bool
    ) -> (records: [StoryRecord], next: Cursor?) {
        let wanted = table.all.filter { isWanted($0) && cursor?.isBefore($0) != false }
            .sorted { $0.rank > $1.rank }
        let page = Array(wanted.prefix(limit))
        return (page, page.count < wanted.count ? page.last.map(Cursor.init) : nil)
    }

    /// What is wrong with stories on disk that cannot be taken up, sorted; a hundred at most.
    package var storyProblems: [String] { Array(complaints.values.sorted().prefix(100)) }

    /// The containers that stories are in.
    package var containers: Set<Container> { table.containers }

    /// Whether the origin has said a moment ago that what has this key is not there.
    package func isKnownAbsent(_ key: String) -> Bool { absences.error(of: key, at: .now) != nil }

    /// What is remembered of the story; nil where there is none.
    package func record(of key: StoryKey) -> StoryRecord? { table[key] }

    /// Whether the story is there and settled.
    package func isSettled(_ key: StoryKey) -> Bool { table[key]?.settled == true }

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
