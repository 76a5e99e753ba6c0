/// An object that is not fresh any more, or never was, and what its origin may be asked with. Nothing holds it: it may be
/// gone when it is wanted.
package struct StaleObject: Sendable, Equatable {
    package let object: StoredObject
    package let freshness: Freshness
}
