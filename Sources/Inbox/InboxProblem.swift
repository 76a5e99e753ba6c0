/// Something about the inbox that an operator has to mend, in words for one.
package struct InboxProblem: Sendable, Equatable {
    package enum Code: Sendable {
        /// A file or folder may not be read or claimed.
        case unreadable
        /// What has been answered cannot be taken away.
        case unwritable
        /// The directory is gone.
        case missing
        /// The kernel gives no more watches: new files are found by rescans only.
        case unwatched
    }

    package let code: Code
    package let message: String
}
