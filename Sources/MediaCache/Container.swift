package import Stories

/// Which directory a story and its objects live in. Identity only: `CacheOptions` knows the path, `ContainerDirectory`
/// opens it.
package struct Container: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// The group's own directory, made by whoever runs the machine.
        case provisioned
        /// The daemon's stand-in for a group that has none, or for no group.
        case fallback
    }

    /// Nil for stories without a group: these have a fallback container.
    package let group: GroupID?
    package let kind: Kind

    /// The container of a group that is provisioned.
    package static func provisioned(_ group: GroupID) -> Container {
        Container(group: group, kind: .provisioned)
    }

    /// The stand-in for `group`, or for no group.
    package static func fallback(_ group: GroupID?) -> Container {
        Container(group: group, kind: .fallback)
    }

    /// A group was named and is not provisioned.
    package var isGroupFallback: Bool { kind == .fallback && group != nil }

    /// Its directory's name. No group's name begins with `_`.
    var directoryName: String { group?.description ?? "_" }
}
