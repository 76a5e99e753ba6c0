import Hashing
import Stories

// The index read from one end to the other, a slice at a time.

extension Index {
    /// Contents of which more is known than their files tell, in order, from after `content`.
    func contents(after content: ContentID?, limit: Int) throws(DatabaseError) -> [ContentID] {
        try database.rows(
            """
            SELECT DISTINCT content FROM object WHERE content > ? AND width IS NOT NULL ORDER BY content LIMIT ?
            """,
            .text(content?.hex ?? ""), .integer(Int64(limit))
        ) { ContentID(hex: $0.text(0)) }
    }

    /// The stories that hold a content.
    func holders(of content: ContentID) throws(DatabaseError) -> [StoredStory] {
        try database.rows(
            "SELECT story, container FROM pin WHERE content = ? ORDER BY container, story", .text(content.hex)
        ) { row in
            guard let story = StoryID(row.text(0)), let container = Container(indexName: row.text(1)) else {
                return nil
            }
            return StoredStory(id: story, container: container)
        }
    }

    /// Contents that stories hold in containers that do not have them.
    func unmetPins() throws(DatabaseError) -> [(content: ContentID, container: Container)] {
        try database.rows(
            """
            SELECT DISTINCT content, container FROM pin WHERE NOT EXISTS
                (SELECT 1 FROM object WHERE content = pin.content AND container = pin.container)
            """
        ) { row in
            guard let content = ContentID(hex: row.text(0)), let container = Container(indexName: row.text(1)) else {
                return nil
            }
            return (content, container)
        }
    }
}
