/// Something about the inbox that an operator has to mend, in words for one.
package struct InboxProblem: Sendable, Equatable {
    /// What kind; the raw value is for programs.
    package enum Code: String, Sendable {
        /// A file or folder may not be read or claimed.
        case unreadable = "inbox_unreadable"
        /// The directory is gone.
        case missing = "inbox_missing"
        /// The kernel gives no more watches: new files are found by rescans only.
        case unwatched = "inbox_unwatched"
    }

    package let code: Code
    package let message: String
}
