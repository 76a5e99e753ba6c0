package import Stories

/// Where the cache lives and how careful it is. A plain value, set at the start.
package struct CacheOptions: Sendable, Equatable {
    /// What is waited for before an object counts as stored.
    package enum Durability: Sendable {
        /// Its bytes and its name are on disk, fsync(2).
        case strict
        /// Nothing: the kernel writes when it likes. Manifests are waited for all the same.
        case relaxed
    }

    /// Holds the index, the lock and what one process leaves to the next; the daemon's alone (0700).
    package var stateDirectory: String
    /// Holds a directory for each provisioned group.
    package var appGroupsRoot: String
    /// Holds the containers of groups that are not provisioned, and of stories without a group.
    package var fallbackDirectory: String
    /// Bytes that objects may take, over all containers.
    package var maxBytes: Int64
    /// Bytes that objects leave free on each filesystem written to; 0: no floor.
    package var minFreeBytes: Int64
    /// Inodes that objects leave free on each filesystem written to; 0: no floor.
    package var minFreeInodes: Int64
    package var durability: Durability
    /// Between two trials of a container that could not be written to, each of which is a durable write.
    package var trialInterval: Duration

    package init(
        stateDirectory: String, appGroupsRoot: String, fallbackDirectory: String, maxBytes: Int64 = 1 << 30,
        minFreeBytes: Int64 = 256 << 20, minFreeInodes: Int64 = 10_000, durability: Durability = .strict,
        trialInterval: Duration = .seconds(10)
    ) {
        self.stateDirectory = stateDirectory
        self.appGroupsRoot = appGroupsRoot
        self.fallbackDirectory = fallbackDirectory
        self.maxBytes = maxBytes
        self.minFreeBytes = minFreeBytes
        self.minFreeInodes = minFreeInodes
        self.durability = durability
        self.trialInterval = trialInterval
    }

    /// The directory of a container; `pw_stories_cache` is below it.
    package func path(of container: Container) -> String {
        switch container.kind {
        case .provisioned: "\(appGroupsRoot)/\(container.directoryName)"
        case .fallback: "\(fallbackDirectory)/\(container.directoryName)"
        }
    }

    /// The file that a player reads of a story.
    package func manifestPath(of story: StoryID, in container: Container) -> String {
        "\(path(of: container))/\(ContainerLayout.cache)/\(ContainerLayout.manifest(of: story))"
    }
}
