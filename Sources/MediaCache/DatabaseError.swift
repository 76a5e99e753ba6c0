import CSQLite

/// A call of SQLite that failed.
struct DatabaseError: Error, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    /// What was tried, and SQLite's own words.
    let description: String

    init(code: Int32, doing action: String, handle: OpaquePointer?) {
        self.code = code
        // SAFETY: both texts are SQLite's, end in a zero and are copied before its next call.
        let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        description = "\(action): \(reason)"
    }

    /// Damage that SQLite itself did not name.
    init(damage description: String) {
        code = SQLITE_CORRUPT
        self.description = description
    }

    /// Something in the place of the file that SQLite cannot open.
    init(obstacle description: String) {
        code = SQLITE_CANTOPEN
        self.description = description
    }

    /// The file is damaged or is no database: it helps only to make it anew.
    var isDamage: Bool {
        switch code & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR: true
        default: false
        }
    }
}
