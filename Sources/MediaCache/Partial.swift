package import Platform

/// A download under way: a file in a container's `.partial/`, open for reading and writing. It ends by
/// `CacheStorage.publish` or `CacheStorage.discard`, one of them, once.
package struct Partial: Sendable {
    /// Where its bytes go; the one who receives them writes here until it hands the partial back.
    package let descriptor: Descriptor
    /// Its name in `.partial/`; no other of this machine has it.
    package let name: String
    package let container: Container
}
