/// What a verification found.
package struct Verification: Sendable, Equatable {
    /// Objects that were to be there.
    package var checked = 0
    /// Of these, those that were damaged or gone.
    package var corrupt = 0
    /// Of these, those that no story misses any more.
    package var repaired = 0
}
