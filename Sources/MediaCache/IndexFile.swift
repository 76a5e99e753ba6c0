import Platform

/// The file that the index is in, and how it is opened: whatever is wrong with it, an index comes out, if need be an
/// empty one.
struct IndexFile {
    /// The state directory; looked up each time, as it may be removed and made again.
    let directory: String

    private static let name = "index.sqlite"
    private var path: String { "\(directory)/\(Self.name)" }

    /// Opens the index. A file that is damaged, cut, no database or of another version goes, and an empty one takes
    /// its place; `loss` says why then.
    func open() throws(DatabaseError) -> (index: Index, loss: String?) {
        do throws(DatabaseError) {
            if let database = try openExisting() { return (Index(database), nil) }
            return (try makeNew(), "there is none")
        } catch {
            if !error.isDamage { throw error }
            return (try makeNew(), error.description)
        }
    }

    /// What tells the file from another of its name; nil where it is not there.
    func identity() throws(SystemError) -> UInt64? { try status()?.inode }

    private func status() throws(SystemError) -> FileStatus? {
        do { return try Directory.open(directory).status(of: Self.name) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes a directory in the file's place, if it is empty; false where it is not.
    private func removeDirectory() -> Bool {
        // What cannot be removed is in the way like what is not empty.
        (try? Directory.open(directory).removeDirectory(Self.name)) == true
    }

    /// Puts all that `index` knows into a new file and opens that: for an index whose file was removed under it.
    func remake(from index: Index) throws(DatabaseError) -> Index {
        remove()
        try index.copy(to: path)
        guard let database = try openExisting() else { return try makeNew() }
        return Index(database)
    }

    /// Nil where there is no such file.
    private func openExisting() throws(DatabaseError) -> Database? {
        var kind: FileStatus.Kind?
        do throws(SystemError) {
            kind = try status()?.kind
            if kind == nil { return nil }
        } catch {
            // What cannot be looked at is opened all the same: SQLite tells why that fails.
        }
        switch kind {
        case .directory:
            // SQLite says no more than that it cannot open it.
            guard removeDirectory() else { throw DatabaseError(obstacle: "\(path) is a directory: move it away") }
            return nil
        case .other: throw DatabaseError(damage: "\(path) is no file")
        case .regular, .symbolicLink, nil: break
        }
        let database = try Database(path: path)
        try configure(database)
        let version = try database.rows("PRAGMA user_version") { $0.integer(0) }.first
        let check = try database.rows("PRAGMA quick_check(1)") { $0.text(0) }.first
        guard version == IndexSchema.version, check == "ok" else {
            throw DatabaseError(damage: "\(path) is of version \(version ?? 0), check: \(check ?? "none")")
        }
        return database
    }

    /// Puts an empty index in the place of what is there.
    func makeNew() throws(DatabaseError) -> Index {
        remove()
        let database = try Database(path: path)
        try configure(database)
        try database.transaction { () throws(DatabaseError) in try database.execute(IndexSchema.sql) }
        return Index(database)
    }

    private func configure(_ database: Database) throws(DatabaseError) {
        // Exclusive, and that before the first use of WAL: then no shared memory is mapped from a file that someone
        // could cut under us, sqlite.org/wal.html. NORMAL: a commit may be lost in a power cut, but nothing is damaged.
        try database.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA foreign_keys = ON;
            """)
    }

    /// Makes room for a new file.
    private func remove() {
        // What cannot be made or removed makes the opening fail that follows.
        guard let directory = try? Directory.make(directory, mode: 0o700) else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            _ = try? directory.remove(Self.name + suffix)
        }
    }
}
