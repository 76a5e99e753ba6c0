import Glibc
package import Platform
package import Stories

// What is handed out of containers, and who may have it.
extension CacheStorage {
    /// A picture that a manifest names, open for reading; nil where its file is gone, or is not of the size that the
    /// manifest tells.
    package func open(_ image: CachedImage, in container: Container) throws(CacheFailure) -> Descriptor? {
        let parts = image.file.split(separator: "/").map(String.init)
        let directory = try ContainerDirectory.open(container, options)
        return try classified { () throws(SystemError) in
            guard parts.count == 3, let folder = try directory?.existing(parts[0], parts[1]) else { return nil }
            do throws(SystemError) {
                let file = try folder.openRegularFile(parts[2])
                return try file.status().size == image.bytes ? file : nil
            } catch {
                if error.isMissing { return nil }
                throw error
            }
        }
    }

    /// The group that each of these containers belongs to; those that are not there are left out.
    package func owningGroups(of containers: Set<Container>) -> [Container: UInt32] {
        var groups: [Container: UInt32] = [:]
        for container in containers {
            // What cannot be opened can be read by nobody either.
            if let directory = try? ContainerDirectory.open(container, options) { groups[container] = directory.group }
        }
        return groups
    }

    /// Makes the directory of a group that has none; false where it was there. It gets its owner and group as the root
    /// hands them down. Refused where something else has its name.
    package func provision(_ group: GroupID) throws(CacheFailure) -> Bool {
        if try self.container(for: group).kind == .provisioned { return false }
        var obstacle: FileStatus.Kind?
        try classified { () throws(SystemError) in
            let root = try Directory.make(options.appGroupsRoot, mode: 0o750)
            obstacle = try root.status(of: group.description)?.kind
            guard obstacle == nil else { return }
            _ = try root.makeDirectory(
                group.description, mode: ContainerDirectory.directoryMode, group: try root.descriptor.status().group)
            try root.synchronize()
        }
        guard let obstacle else { return true }
        // Made by somebody else in this moment.
        guard obstacle != .directory else { return false }
        throw CacheFailure(
            .refused,
            "\(options.path(of: .provisioned(group))) is \(Self.noun(obstacle)), not a directory; remove it, or move it away"
        )
    }

    private static func noun(_ kind: FileStatus.Kind) -> String {
        switch kind {
        case .regular: "a file"
        case .symbolicLink: "a symbolic link"
        case .directory: "a directory"
        case .other: "a device, a socket or a pipe"
        }
    }
}
