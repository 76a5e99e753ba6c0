/// Keeps an object in its container for somebody who is about to name it in a manifest: while it is there the object is
/// not removed to make room. It ends with its last reference; the manifest, once on disk, holds the object itself.
package final class Hold: Sendable {
    private let holds: Holds
    private let key: Holds.Key

    init(_ holds: Holds, _ key: Holds.Key) {
        self.holds = holds
        self.key = key
    }

    deinit { holds.release(key) }
}
