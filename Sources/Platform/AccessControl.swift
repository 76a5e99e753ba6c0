import CLinux

/// Who may do what with a file: its mode and its access control list, judged as the kernel does, acl(5). A pure value.
package struct AccessControl: Sendable, Equatable {
    /// Permission bits, as in a mode.
    package struct Rights: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        package static let read = Rights(rawValue: 4)
        package static let write = Rights(rawValue: 2)
        /// Of a directory: to reach what is in it.
        package static let search = Rights(rawValue: 1)
    }

    private let owner: (user: UInt32, rights: Rights)
    private let ownerGroup: (group: UInt32, rights: Rights)
    private let others: Rights
    private var users: [UInt32: Rights] = [:]
    private var groups: [UInt32: Rights] = [:]
    /// What named users and all groups have at most.
    private var mask = Rights(rawValue: 7)

    /// `list` is the value of the attribute `system.posix_acl_access`; nil where there is none. One that cannot be read
    /// is as none.
    init(owner: UInt32, group: UInt32, mode: UInt32, list: [UInt8]?) {
        var entries = list.flatMap(Self.entries) ?? []
        let ofGroup = entries.first { $0.tag == .ownerGroup }.map(\.rights)
        self.owner = (owner, Rights(rawValue: UInt16(mode >> 6 & 7)))
        ownerGroup = (group, ofGroup ?? Rights(rawValue: UInt16(mode >> 3 & 7)))
        others = Rights(rawValue: UInt16(mode & 7))
        // Without a list the mode's middle bits are the group's rights, with one they are the mask.
        while let entry = entries.popLast() {
            switch entry.tag {
            case .user: users[entry.id] = entry.rights
            case .group: groups[entry.id] = entry.rights
            case .mask: mask = entry.rights
            case .owner, .ownerGroup, .others: break
            }
        }
    }

    /// Whether a user who is in those groups has all of the rights. What root may do by its capabilities is not told.
    package func permits(_ wanted: Rights, user: UInt32, groups memberships: Set<UInt32>) -> Bool {
        if user == owner.user { return owner.rights.isSuperset(of: wanted) }
        if let named = users[user] { return named.intersection(mask).isSuperset(of: wanted) }
        var matching = groups.filter { memberships.contains($0.key) }.map(\.value)
        if memberships.contains(ownerGroup.group) { matching.append(ownerGroup.rights) }
        guard !matching.isEmpty else { return others.isSuperset(of: wanted) }
        return matching.contains { $0.intersection(mask).isSuperset(of: wanted) }
    }

    package static func == (left: AccessControl, right: AccessControl) -> Bool {
        left.owner == right.owner && left.ownerGroup == right.ownerGroup && left.others == right.others
            && left.users == right.users && left.groups == right.groups && left.mask == right.mask
    }

    // MARK: The attribute, linux/posix_acl_xattr.h

    private enum Tag: UInt16 {
        case owner = 0x01
        case user = 0x02
        case ownerGroup = 0x04
        case group = 0x08
        case mask = 0x10
        case others = 0x20
    }

    private typealias Entry = (tag: Tag, rights: Rights, id: UInt32)

    private static func entries(_ list: [UInt8]) -> [Entry]? {
        func number(_ offset: Int, _ size: Int) -> UInt32 {
            list[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard list.count >= 4, (list.count - 4) % 8 == 0, number(0, 4) == 2 else { return nil }
        return stride(from: 4, to: list.count, by: 8).compactMap { offset in
            Tag(rawValue: UInt16(number(offset, 2))).map {
                ($0, Rights(rawValue: UInt16(number(offset + 2, 2)) & 7), number(offset + 4, 4))
            }
        }
    }
}

extension Descriptor {
    /// Who may do what with it, fstat(2) and acl(5).
    package func accessControl() throws(SystemError) -> AccessControl {
        let status = try status()
        var list = [UInt8](repeating: 0, count: 65_536)
        let size = clinux_access_list(raw, &list, UInt(list.count))
        // None, or a file system without lists: the mode tells all.
        return AccessControl(
            owner: status.owner, group: status.group, mode: status.mode,
            list: size > 0 ? Array(list.prefix(size)) : nil)
    }
}
