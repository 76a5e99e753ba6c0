import MediaCache

/// The group that each container belongs to, as it was found last: of one that cannot be opened now (it was removed, or
/// its disk is away) those may still hear who could see what was in it. A plain value, owned by `StoriesDaemon`
/// behind a lock.
struct KnownOwners: Sendable {
    private var groups: [Container: UInt32] = [:]

    /// Notes what was found now, and answers the groups of all of `containers` that were ever found.
    mutating func groups(of containers: Set<Container>, found: [Container: UInt32]) -> [Container: UInt32] {
        groups.merge(found) { $1 }
        return groups.filter { containers.contains($0.key) }
    }
}
