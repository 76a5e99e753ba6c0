package import Stories

/// A payload that lies in `.rejected` now, and why.
package struct Rejection: Sendable {
    /// Nil: it was in the inbox itself, or in a folder that is no group's.
    package let group: GroupID?
    /// The file's name as it was dropped, with its folder's where it was in one.
    package let file: String
    package let code: String
    package let message: String
}
