extension Configuration {
    /// How much is kept, how long and how safely: the section `cache`.
    package struct Cache: Sendable, Equatable {
        /// What is waited for before a manifest calls an object cached.
        package enum Durability: String, Sendable, CaseIterable {
            /// The object is on disk (fsync).
            case strict
            /// Objects are not waited for; inbox and manifests stay durable.
            case relaxed
        }

        package internal(set) var maxBytes = 1_073_741_824
        /// 0: no floor.
        package internal(set) var minFreeBytes = 268_435_456
        /// 0: no floor.
        package internal(set) var minFreeInodes = 10_000
        /// Zero: stories do not age.
        package internal(set) var storyMaxAge = Duration.seconds(2_592_000)
        package internal(set) var maxStories = 10_000
        /// Names of query parameters, where a trailing `*` stands for any ending.
        package internal(set) var ignoreQueryParameters: [String] = []
        package internal(set) var durability = Durability.strict
    }
}
