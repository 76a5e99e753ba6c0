import Hashing
import ImageInspection
import Platform
import Stories

/// What the cache knows without looking: which objects are where, which key gave them and for how long they are fresh,
/// which stories hold them. A hint that can be told again from the disk; owned by `CacheStorage`, used on its thread.
///
/// Writes join in the transaction that is open, or are one each. A commit does not wait for the disk.
final class Index {
    /// An object as it was when it was last looked at.
    struct Entry {
        let container: Container
        let object: StoredObject
        /// The file's time of change; another one means that its bytes must be looked at again.
        let modified: Timestamp
    }

    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Runs `body` so that all of its changes are made, or none.
    func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try database.transaction(body)
    }

    /// Writes all it knows to a new file at `path`.
    func copy(to path: String) throws(DatabaseError) {
        try database.run("VACUUM INTO ?", .text(path))
    }

    // MARK: Objects

    /// Enters an object that is there, or enters it again.
    func put(_ entry: Entry, usedAt: Timestamp) throws(DatabaseError) {
        let object = entry.object
        try database.run("INSERT OR IGNORE INTO container (name) VALUES (?)", .text(entry.container.indexName))
        try database.run(
            """
            INSERT INTO object (container, content, type, bytes, width, height, frames, modified_at, used_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET bytes = excluded.bytes, width = excluded.width, height = excluded.height,
                frames = excluded.frames, modified_at = excluded.modified_at, used_at = excluded.used_at
            """,
            .text(entry.container.indexName), .text(object.content.hex), .text(object.header.type.rawValue),
            .integer(object.bytes), .integer(Int64(object.header.width)), .integer(Int64(object.header.height)),
            .integer(Int64(object.header.frames)), .integer(entry.modified.milliseconds),
            .integer(usedAt.milliseconds))
    }

    /// Makes `files` all that is counted in a container beside the objects that are known.
    func setUnknown(_ files: [UnknownFile], in container: Container) throws(DatabaseError) {
        try database.run(
            "DELETE FROM object WHERE container = ? AND width IS NULL", .text(container.indexName))
        if files.isEmpty { return }
        try database.run("INSERT OR IGNORE INTO container (name) VALUES (?)", .text(container.indexName))
        for file in files {
            try database.run(
                """
                INSERT OR IGNORE INTO object (container, content, type, bytes, modified_at, used_at)
                VALUES (?, ?, ?, ?, 0, ?)
                """,
                .text(container.indexName), .text(file.content.hex), .text(file.type.rawValue), .integer(file.bytes),
                .integer(file.modified.milliseconds))
        }
    }

    /// Notes that an object has served.
    func touch(_ entry: Entry, usedAt: Timestamp) throws(DatabaseError) {
        try database.run(
            "UPDATE object SET used_at = ? WHERE content = ? AND container = ? AND type = ?",
            .integer(usedAt.milliseconds), .text(entry.object.content.hex), .text(entry.container.indexName),
            .text(entry.object.header.type.rawValue))
    }

    /// Takes out an object that is there no more.
    func forget(_ object: StoredObject, in container: Container) throws(DatabaseError) {
        try database.run(
            "DELETE FROM object WHERE content = ? AND container = ? AND type = ?",
            .text(object.content.hex), .text(container.indexName), .text(object.header.type.rawValue))
    }

    /// Where a content is.
    func entries(of content: ContentID) throws(DatabaseError) -> [Entry] {
        try database.rows("\(Self.selectEntry) WHERE content = ?", .text(content.hex), read: Self.entry)
    }

    /// What a container holds.
    func entries(in container: Container) throws(DatabaseError) -> [Entry] {
        try database.rows("\(Self.selectEntry) WHERE container = ?", .text(container.indexName), read: Self.entry)
    }

    private static let selectEntry =
        "SELECT container, content, type, bytes, width, height, frames, modified_at FROM object"

    private static func entry(_ row: Statement.Row) -> Entry? {
        guard let container = Container(indexName: row.text(0)), let content = ContentID(hex: row.text(1)),
            let type = ImageType(rawValue: row.text(2)),
            let size = PixelSize(width: Int(row.integer(4)), height: Int(row.integer(5)))
        else { return nil }
        let header = ImageHeader(type: type, size: size, frames: Int(row.integer(6)))
        return Entry(
            container: container, object: StoredObject(content: content, header: header, bytes: row.integer(3)),
            modified: Timestamp(milliseconds: row.integer(7)))
    }

    // MARK: Sources

    /// Notes what a key gave.
    func setSource(_ key: String, content: ContentID, _ freshness: Freshness) throws(DatabaseError) {
        try insertSource(key, content, freshness, clause: "INSERT OR REPLACE")
    }

    /// Notes what a key gave, unless more is known already.
    func assumeSource(_ key: String, content: ContentID, _ freshness: Freshness) throws(DatabaseError) {
        try insertSource(key, content, freshness, clause: "INSERT OR IGNORE")
    }

    private func insertSource(
        _ key: String, _ content: ContentID, _ freshness: Freshness, clause: String
    ) throws(DatabaseError) {
        try database.run(
            """
            \(clause) INTO source (key, content, etag, last_modified, obtained_at, fresh_until, reusable)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(key), .text(content.hex), Statement.Value(freshness.etag), Statement.Value(freshness.lastModified),
            .integer(freshness.obtainedAt.milliseconds), .integer(freshness.freshUntil.milliseconds),
            .integer(freshness.isReusable ? 1 : 0))
    }

    /// What a key last gave; nil where that is not known.
    func source(_ key: String) throws(DatabaseError) -> (content: ContentID, freshness: Freshness)? {
        let sources = try database.rows(
            "SELECT content, etag, last_modified, obtained_at, fresh_until, reusable FROM source WHERE key = ?",
            .text(key)
        ) { row -> (content: ContentID, freshness: Freshness)? in
            guard let content = ContentID(hex: row.text(0)) else { return nil }
            let freshness = Freshness(
                etag: row.optionalText(1), lastModified: row.optionalText(2),
                obtainedAt: Timestamp(milliseconds: row.integer(3)),
                freshUntil: Timestamp(milliseconds: row.integer(4)), isReusable: row.integer(5) != 0)
            return (content, freshness)
        }
        return sources.first
    }

    // MARK: Pins

    /// Makes `contents` all that a story's manifest holds.
    func setPins(_ contents: Set<ContentID>, of story: StoryID, in container: Container) throws(DatabaseError) {
        let old = Set(try pins(of: story, in: container))
        for content in old.subtracting(contents) {
            try database.run(
                "DELETE FROM pin WHERE container = ? AND story = ? AND content = ?", .text(container.indexName),
                .text(story.description), .text(content.hex))
        }
        for content in contents.subtracting(old) {
            try database.run(
                "INSERT INTO pin (container, story, content) VALUES (?, ?, ?)", .text(container.indexName),
                .text(story.description), .text(content.hex))
        }
    }

    /// The stories of a container that hold anything.
    func pinningStories(in container: Container) throws(DatabaseError) -> [StoryID] {
        try database.rows("SELECT DISTINCT story FROM pin WHERE container = ?", .text(container.indexName)) {
            StoryID($0.text(0))
        }
    }

    /// What a story holds.
    func pins(of story: StoryID, in container: Container) throws(DatabaseError) -> [ContentID] {
        try database.rows(
            "SELECT content FROM pin WHERE container = ? AND story = ?", .text(container.indexName),
            .text(story.description)
        ) { ContentID(hex: $0.text(0)) }
    }

    // MARK: Sums

    /// Objects and their bytes, for each container that ever had any.
    func sums() throws(DatabaseError) -> [(container: Container, objects: Int, bytes: Int64)] {
        try database.rows("SELECT name, objects, bytes FROM container") { row in
            Container(indexName: row.text(0)).map { ($0, Int(row.integer(1)), row.integer(2)) }
        }
    }

    /// Forgets all that a container holds.
    func forgetAll(in container: Container) throws(DatabaseError) {
        try forgetAll(in: container.indexName)
    }

    private func forgetAll(in name: String) throws(DatabaseError) {
        try database.run("DELETE FROM object WHERE container = ?", .text(name))
        try database.run("DELETE FROM pin WHERE container = ?", .text(name))
        try database.run("DELETE FROM container WHERE name = ?", .text(name))
    }

    /// Forgets all of the containers that are not in `kept`, and sources that lead to no object.
    func keepOnly(_ kept: Set<Container>) throws(DatabaseError) {
        for name in try database.rows("SELECT name FROM container", read: { $0.text(0) })
        where !kept.contains(where: { $0.indexName == name }) {
            try forgetAll(in: name)
        }
        try database.run("DELETE FROM source WHERE content NOT IN (SELECT content FROM object)")
    }
}

extension Container {
    /// How the index writes it.
    var indexName: String { "\(kind.rawValue)/\(directoryName)" }

    init?(indexName: String) {
        let parts = indexName.split(separator: "/")
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        if parts[1] == "_" {
            self = .fallback(nil)
        } else {
            guard let group = GroupID(String(parts[1])) else { return nil }
            self = Container(group: group, kind: kind)
        }
    }
}
