/// What keeping the part of a download has changed in what is kept. A plain value. Two of them may be taken in any order,
/// as each tells of its own alone.
package struct KeptChange: Sendable, Equatable {
    /// Whether that part is kept.
    package let isKept: Bool
    /// The keys of what went to make room for it, perhaps its own.
    package let gone: [String]
}
