import Platform
import Stories

extension CacheStorage {
    /// What the cache has and did.
    package func statistics() -> CacheStatistics {
        var statistics = counts
        for sum in sums() {
            statistics.objects += sum.objects
            statistics.bytes += sum.bytes
        }
        return statistics
    }

    /// Every provisioned group's container, and the fallback containers that are in use.
    package func containers() -> [ContainerReport] {
        let sums = Dictionary(uniqueKeysWithValues: sums().map { ($0.container, $0) })
        return containersOnDisk().compactMap { container in
            let directory: ContainerDirectory?
            do throws(CacheFailure) {
                directory = try ContainerDirectory.open(container, options)
            } catch {
                log.debug("not counted: \(error)")
                directory = nil
            }
            if directory == nil, container.kind == .fallback { return nil }
            return ContainerReport(
                container: container, path: options.path(of: container),
                stories: directory.map(storyNames)?.count ?? 0, objects: sums[container]?.objects ?? 0,
                bytes: sums[container]?.bytes ?? 0)
        }
    }

    private func sums() -> [(container: Container, objects: Int, bytes: Int64)] {
        index.use(orElse: []) { index throws(DatabaseError) in try index.sums() }
    }

    /// The containers that have a directory, used or not; sorted.
    func containersOnDisk() -> [Container] {
        let provisioned = directories(in: options.appGroupsRoot).compactMap { GroupID($0).map(Container.provisioned) }
        let fallback = directories(in: options.fallbackDirectory).compactMap { name in
            name == "_" ? Container.fallback(nil) : GroupID(name).map(Container.fallback)
        }
        return provisioned + fallback
    }

    /// The real directories in `path`; none where it cannot be read.
    private func directories(in path: String) -> [String] {
        do throws(SystemError) {
            let directory = try Directory.open(path)
            var names: [String] = []
            for name in try directory.names().sorted() where try directory.status(of: name)?.kind == .directory {
                names.append(name)
            }
            return names
        } catch {
            if !error.isMissing { log.warning("not searched for containers: \(error)") }
            return []
        }
    }

    /// The names of a container's stories that can be a story's, sorted.
    func storyNames(_ directory: ContainerDirectory) -> [StoryID] {
        do throws(SystemError) {
            return try directory.existing("stories")?.names().compactMap { StoryID($0) }.sorted() ?? []
        } catch {
            log.warning("not searched for stories: \(error)")
            return []
        }
    }
}
