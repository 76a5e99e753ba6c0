import Glibc
import Platform
package import Stories

/// Why the cache could not do what it was asked. Classified here, once, where the error was seen.
package struct CacheFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// No bytes, inodes or quota left, or a floor would be passed. It may pass.
        case noSpace
        /// `cache.max_bytes` would be passed. It may pass.
        case overLimit
        /// Larger than all that the cache may hold.
        case tooLarge
        /// The disk or its permissions: read-only, unreadable, damaged. It may pass.
        case io
        /// Something that must be a directory of the daemon's is not: a link, another's, writable by others.
        case refused
        /// Two contents of one hash; the first stays.
        case collision
        /// Another daemon holds the state directory.
        case owned
    }

    package let kind: Kind
    /// For people: the call, the path and the reason.
    package let message: String
    /// The `errno` behind it; nil where no system call failed.
    let code: Int32?
    /// How much more room would have been needed, as far as that is known.
    package private(set) var lacking: Room

    init(_ kind: Kind, _ message: String, lacking: Room = Room()) {
        self.kind = kind
        self.message = message
        self.lacking = lacking
        code = nil
    }

    init(_ error: SystemError) {
        message = error.description
        code = error.code
        lacking = Room()
        switch error.code {
        case ENOSPC, EDQUOT: kind = .noSpace
        // open(2) with O_NOFOLLOW and O_DIRECTORY: a link, or no directory.
        case ELOOP, ENOTDIR: kind = .refused
        default: kind = .io
        }
    }

    /// What a manifest says of a page that failed so.
    package var pageCode: PageError.Code {
        switch kind {
        case .noSpace, .overLimit: .noSpace
        case .tooLarge: .tooLarge
        case .io, .refused, .collision, .owned: .io
        }
    }

    /// Whether it might succeed once something was removed.
    package var isLackOfRoom: Bool { kind == .noSpace || kind == .overLimit }

    /// Whether another attempt may end better.
    package var mayPass: Bool { kind != .tooLarge }

    /// The same, where nothing tells how much room was needed and this much may do.
    func lacking(atLeast room: Room) -> CacheFailure {
        var failure = self
        if kind == .noSpace, lacking == Room() { failure.lacking = room }
        return failure
    }

    /// Nothing can be written there, whatever it is: the filesystem is read-only or broken, or the daemon has no right.
    var isUnwritable: Bool { [EROFS, EACCES, EPERM, EIO].contains(code) }

    /// Something that must be a directory or a file of the daemon's is another thing.
    var isObstructed: Bool { [ENOTDIR, ELOOP, EISDIR].contains(code) }

    package var description: String { message }
}

/// Runs `body`, whose system calls may fail, and classifies the failure.
func classified<Result>(_ body: () throws(SystemError) -> Result) throws(CacheFailure) -> Result {
    do { return try body() } catch { throw CacheFailure(error) }
}
