import Hashing
import Platform

/// Which objects somebody is about to name in a manifest. Owned by `CacheStorage`, which gives out each `Hold`; these
/// end on any thread, so the counts are behind a lock.
///
/// Who lets go of a hold has the object's pin in the index by then, or does not want the object: so `CacheStorage`, which
/// sets pins, may ask for the one and then for the other.
final class Holds: Sendable {
    struct Key: Hashable, Sendable {
        let content: ContentID
        let container: Container
    }

    private let counts = Locked<[Key: Int]>([:])

    /// How many objects are held.
    var count: Int { counts.withLock { $0.count } }

    func hold(_ content: ContentID, in container: Container) -> Hold {
        let key = Key(content: content, container: container)
        counts.withLock { $0[key, default: 0] += 1 }
        return Hold(self, key)
    }

    func isHeld(_ content: ContentID, in container: Container) -> Bool {
        counts.withLock { $0[Key(content: content, container: container)] != nil }
    }

    func release(_ key: Key) {
        counts.withLock { counts in
            let rest = (counts[key] ?? 0) - 1
            counts[key] = rest > 0 ? rest : nil
        }
    }
}
