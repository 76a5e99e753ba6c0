/// A page that a manifest calls cached: the key of its URL and the object that it holds.
package struct Holding: Sendable, Equatable {
    package let key: String
    package let object: StoredObject

    package init(key: String, object: StoredObject) {
        self.key = key
        self.object = object
    }
}
