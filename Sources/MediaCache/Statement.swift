import CSQLite

/// A prepared statement, kept and used again by its `Database`. Not safe to share.
final class Statement {
    /// What a parameter may be.
    enum Value {
        case text(String)
        case integer(Int64)
        case null

        init(_ text: String?) { self = text.map(Value.text) ?? .null }
    }

    /// A row of its result; columns are counted from 0. Valid until the next step.
    struct Row {
        fileprivate let handle: OpaquePointer

        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        func text(_ column: Int32) -> String { optionalText(column) ?? "" }

        func optionalText(_ column: Int32) -> String? {
            // SAFETY: the text ends in a zero and is copied before the next step, which would free it.
            sqlite3_column_text(handle, column).map { String(cString: $0) }
        }
    }

    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let sql: String

    init(_ sql: String, database: OpaquePointer) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw DatabaseError(code: code, doing: sql, handle: database) }
        self.handle = handle
        self.database = database
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs it to its end and gives each row to `body`.
    func run(_ values: [Value], _ body: (Row) -> Void) throws(DatabaseError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (position, value) in values.enumerated() {
            let code = bind(value, at: Int32(position + 1))
            if code != SQLITE_OK { throw DatabaseError(code: code, doing: sql, handle: database) }
        }
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                throw DatabaseError(code: sqlite3_extended_errcode(database), doing: sql, handle: database)
            }
            body(Row(handle: handle))
        }
    }

    private func bind(_ value: Value, at position: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, position)
        case .integer(let number): sqlite3_bind_int64(handle, position, number)
        // SAFETY: the pointer is valid for the call and SQLite copies the bytes.
        case .text(let text): sqlite3_bind_text(handle, position, text, Int32(text.utf8.count), Self.transient)
        }
    }

    // SAFETY: -1 is what SQLite defines SQLITE_TRANSIENT as ("copy the bytes"); it is never called as a function.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
