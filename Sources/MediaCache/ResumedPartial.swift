/// A download that goes on: a partial that holds what was kept of an earlier one, open at the end of that.
package struct ResumedPartial: Sendable {
    package let partial: Partial
    /// What it holds, and by what the rest is asked for.
    package let notes: PartialNotes
}
