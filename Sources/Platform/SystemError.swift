import Glibc

/// A system call that failed: which, on what, and its `errno`.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The `errno` of the call.
    package let code: Int32
    /// The call, in words a log reader knows: `open`, `fsync`, `rename`.
    package let operation: String
    /// The path it was about; nil where there is none.
    package let path: String?

    /// An error of the call that has just failed: reads `errno` unless `code` is given.
    package init(_ operation: String, path: String? = nil, code: Int32 = errno) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    package var description: String {
        let reason = String(cString: strerror(code))
        return path.map { "\(operation) \($0): \(reason)" } ?? "\(operation): \(reason)"
    }

    /// The filesystem has no room, no inode or no quota left: it may pass.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// The name is not there (or a directory on the way to it).
    package var isMissing: Bool { code == ENOENT }
}

/// Calls again while a signal interrupts (`EINTR`, signal(7)), and throws what the call failed with.
@discardableResult
package func checked<Result: SignedInteger>(
    _ operation: String, path: String? = nil, _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw SystemError(operation, path: path) }
    }
}
