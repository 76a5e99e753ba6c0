import Hashing
import ImageInspection
import Platform
import Stories

// Objects that no manifest names: what may be removed to make room.

extension Index {
    /// So many of them at most, the least recently used first: of one container, or of all. `before`: only what was not
    /// used since then.
    func unpinned(
        in container: Container? = nil, usedBefore moment: Timestamp? = nil, limit: Int
    ) throws(DatabaseError) -> [UnpinnedObject] {
        if let container {
            return try database.rows(
                """
                SELECT container, content, type, bytes, used_at FROM object WHERE pins = 0 AND used_at < ? AND container = ?
                ORDER BY used_at LIMIT ?
                """,
                .integer(moment?.milliseconds ?? .max), .text(container.indexName), .integer(Int64(limit)),
                read: Self.unpinned)
        }
        return try database.rows(
            """
            SELECT container, content, type, bytes, used_at FROM object WHERE pins = 0 AND used_at < ?
            ORDER BY used_at LIMIT ?
            """,
            .integer(moment?.milliseconds ?? .max), .integer(Int64(limit)), read: Self.unpinned)
    }

    /// The files of that content in a container, where no manifest names it.
    func unpinned(_ content: ContentID, in container: Container) throws(DatabaseError) -> [UnpinnedObject] {
        try database.rows(
            """
            SELECT container, content, type, bytes, used_at FROM object WHERE pins = 0 AND content = ? AND container = ?
            """,
            .text(content.hex), .text(container.indexName), read: Self.unpinned)
    }

    /// Takes out an object that was removed, and the keys that gave it where it was the last copy.
    func forget(_ object: UnpinnedObject) throws(DatabaseError) {
        try transaction { () throws(DatabaseError) in
            try database.run(
                "DELETE FROM object WHERE content = ? AND container = ? AND type = ?",
                .text(object.content.hex), .text(object.container.indexName), .text(object.type.rawValue))
            try database.run(
                "DELETE FROM source WHERE content = ?1 AND NOT EXISTS (SELECT 1 FROM object WHERE content = ?1)",
                .text(object.content.hex))
        }
    }

    /// Puts an object at the end of the line: it could not be removed.
    func postpone(_ object: UnpinnedObject, until moment: Timestamp) throws(DatabaseError) {
        try database.run(
            "UPDATE object SET used_at = ? WHERE content = ? AND container = ? AND type = ?",
            .integer(moment.milliseconds), .text(object.content.hex), .text(object.container.indexName),
            .text(object.type.rawValue))
    }

    private static func unpinned(_ row: Statement.Row) -> UnpinnedObject? {
        guard let container = Container(indexName: row.text(0)), let content = ContentID(hex: row.text(1)),
            let type = ImageType(rawValue: row.text(2))
        else { return nil }
        return UnpinnedObject(
            content: content, type: type, container: container, bytes: row.integer(3),
            usedAt: Timestamp(milliseconds: row.integer(4)))
    }
}
