package import Hashing
package import ImageInspection

/// What is there already of a body that broke off, read again from its file: counted, hashed and looked at, so that the
/// rest can be taken as if the whole had come at once. Never changes; whoever goes on with it does so with copies.
package final class BodyPrefix: Sendable {
    /// How many bytes it has.
    package let bytes: Int64
    private let seen: ContentHasher
    /// What has looked at them; a value, to go on with.
    let inspector: ImageInspector

    /// So many bytes, which `hasher` and `inspector` have seen, and no others.
    package init(bytes: Int64, hasher: consuming ContentHasher, inspector: ImageInspector) {
        self.bytes = bytes
        seen = hasher
        self.inspector = inspector
    }

    /// The name of these bytes.
    package var content: ContentID { seen.digest() }

    /// A copy of what has hashed them, to go on with.
    func hasher() -> ContentHasher { seen.copy() }
}
