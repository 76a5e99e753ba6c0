/// An object that is in a container, and stays there at least while this is kept.
package struct HeldObject: Sendable {
    package let object: StoredObject
    package let hold: Hold
}
