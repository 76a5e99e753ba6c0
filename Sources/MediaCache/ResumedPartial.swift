package import Hashing

/// A part of a download that is gone on with: open at its end, which is where its notes say. Owned by whoever goes on.
package struct ResumedPartial<Reader: Sendable>: ~Copyable, Sendable {
    package let partial: Partial
    package let notes: PartialNotes
    /// What all its bytes were shown to.
    package let reader: Reader
    /// Has seen the same bytes, so that they need not be read once more for the name of the whole.
    private let hasher: ContentHasher

    init(_ partial: Partial, _ notes: PartialNotes, _ reader: Reader, _ hasher: consuming ContentHasher) {
        self.partial = partial
        self.notes = notes
        self.reader = reader
        self.hasher = hasher
    }

    /// Another hasher that has seen the bytes.
    package func seen() -> ContentHasher { hasher.copy() }
}
