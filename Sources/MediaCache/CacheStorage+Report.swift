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
        // An index that cannot be used, or does not know all yet, tells too little.
        if !index.isComplete { statistics.bytes = max(statistics.bytes, knownBytes) }
        return statistics
    }

    /// Every provisioned group's container, and the fallback containers that were ever used. Nothing below a
    /// container's directory is looked at.
    package func containers() -> [ContainerReport] {
        let sums = Dictionary(uniqueKeysWithValues: sums().map { ($0.container, $0) })
        return containersOnDisk().found.map { container in
            ContainerReport(
                container: container, path: options.path(of: container), objects: sums[container]?.objects ?? 0,
                bytes: sums[container]?.bytes ?? 0)
        }
    }

    func sums() -> [(container: Container, objects: Int, bytes: Int64)] {
        index.use(orElse: []) { index throws(DatabaseError) in try index.sums() }
    }

    /// The containers that have a directory, used or not, sorted; and what kept it from finding others.
    func containersOnDisk() -> (found: [Container], failures: [CacheFailure]) {
        var found: [Container] = []
        var failures: [CacheFailure] = []
        do throws(CacheFailure) {
            found += try directories(in: appGroups()).compactMap { GroupID($0).map(Container.provisioned) }
        } catch {
            failures.append(error)
        }
        do throws(CacheFailure) {
            let fallback = try FallbackDirectory.open(options.fallbackDirectory, makes: false)
            found += try directories(in: fallback).compactMap { name in
                name == "_" ? Container.fallback(nil) : GroupID(name).map(Container.fallback)
            }
        } catch {
            failures.append(error)
        }
        return (found, failures)
    }

    /// The directory of the provisioned groups; nil where it is not there.
    private func appGroups() throws(CacheFailure) -> Directory? {
        do throws(SystemError) { return try Directory.open(options.appGroupsRoot) } catch {
            if error.isMissing { return nil }
            throw CacheFailure(error)
        }
    }

    /// The names of the real directories in `directory`, sorted.
    private func directories(in directory: Directory?) throws(CacheFailure) -> [String] {
        guard let directory else { return [] }
        return try classified { () throws(SystemError) in
            var names: [String] = []
            for name in try directory.names().sorted() where try directory.status(of: name)?.kind == .directory {
                names.append(name)
            }
            return names
        }
    }
}
