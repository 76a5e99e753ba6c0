import CSQLite
import Platform

/// One connection to SQLite, with the statements it has prepared. Not safe to share: its owner is the one thread that
/// uses it.
final class Database {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens the file, made where it is not there.
    init(path: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw DatabaseError(code: code, doing: "open \(path)", handle: handle)
        }
        self.handle = handle
        guard DiskSteps.areObserved else { return }
        // One that gives anything but zero turns the commit into a rollback, which fails.
        sqlite3_commit_hook(handle, { _ in DiskSteps.take(.commit) { 0 } }, nil)
    }

    deinit {
        // It waits by itself for the statements that go after it.
        sqlite3_close_v2(handle)
    }

    /// Runs statements that give nothing back and take no parameters.
    func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw DatabaseError(code: code, doing: sql, handle: handle) }
    }

    /// Runs one statement, prepared at its first use, and gives each row to `body`.
    func run(_ sql: String, _ values: Statement.Value..., body: (Statement.Row) -> Void = { _ in })
        throws(DatabaseError)
    {
        try prepared(sql).run(values, body)
    }

    /// All rows of one statement, each as `read` makes it; rows that it makes nil of are left out.
    func rows<Element>(
        _ sql: String, _ values: Statement.Value..., read: (Statement.Row) -> Element?
    ) throws(DatabaseError) -> [Element] {
        var elements: [Element] = []
        try prepared(sql).run(values) { row in
            if let element = read(row) { elements.append(element) }
        }
        return elements
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, database: handle)
        statements[sql] = statement
        return statement
    }

    /// Runs `body` so that all of its changes are made, or none.
    func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some failures have rolled it back already; then this one fails, and the first is what counts.
            _ = try? run("ROLLBACK")
            throw error
        }
    }
}
