import Platform

extension ConfigurationKey {
    /// All keys, in the order in which they are printed and documented. Keys of one section stand together.
    static let all = places + behaviour + network + limits + cache

    private static let places = [
        ConfigurationKey(
            "inbox", \.inbox, .path, reload: false,
            "Where payloads are dropped. Put it where its writers can reach it."),
        ConfigurationKey(
            "app_groups_root", \.appGroupsRoot, .path, reload: false,
            "The app groups' containers: a group is provisioned when this directory holds one of its name."),
        ConfigurationKey(
            "app_group", \.appGroup, .orNull(.group),
            "The group of payloads that lie in the inbox itself, not in a group's folder; null: no group."),
        ConfigurationKey(
            "fallback_directory", \.fallbackDirectory, .path, reload: false,
            "Containers for stories without a provisioned group; the daemon's own, writable by nobody else."),
        ConfigurationKey(
            "state_directory", \.stateDirectory, .path, reload: false,
            "Index and lock; the daemon's alone. One daemon to a state directory."),
        ConfigurationKey(
            "socket", \.socket, .path, reload: false,
            "The Unix socket for storiesctl and others; at most 107 bytes, as the kernel has no room for more."),
    ]

    private static let behaviour = [
        ConfigurationKey(
            "socket_writers", \.socketWriters, .userIDs,
            "Users who may change things over the socket, beside root and the daemon's own."),
        ConfigurationKey(
            "inbox_rescan", \.inboxRescan, .seconds(0.1...86_400),
            "How often the inbox is read anew, for file systems that send no events, such as NFS."),
        ConfigurationKey(
            "keep_processed", \.keepProcessed, .flag,
            "Keep accepted payloads in <inbox>/.processed/, to look at or replay; nobody cleans up there."),
        ConfigurationKey(
            "story_deadline", \.storyDeadline, .seconds(0.1...86_400),
            "From acceptance to settled: after this a story is shown with the pages it has."),
        ConfigurationKey(
            "log_level", \.logLevel,
            .word([("error", .error), ("warning", .warning), ("info", .info), ("debug", .debug)]),
            "The least urgent messages that are still logged."),
        ConfigurationKey(
            "metrics_textfile", \.metricsTextfile, .orNull(.path),
            "A file that gets the metrics' text every 15 s, for a textfile collector; null: none."),
    ]

    private static let network = [
        ConfigurationKey(
            "network.concurrency", \.network.concurrency, .count(of: "transfers", 1...1024),
            "Transfers at once. More help on far links, fewer spare a small machine."),
        ConfigurationKey(
            "network.per_host", \.network.perHost, .count(of: "transfers", 1...1024),
            "Transfers at once to one host, so that no origin is flooded and none takes all."),
        ConfigurationKey(
            "network.connect_timeout", \.network.connectTimeout, .seconds(0.01...3600),
            "For name look-up, connection and TLS; a host that is down is given up after it."),
        ConfigurationKey(
            "network.stall_timeout", \.network.stallTimeout, .seconds(0.01...3600),
            "A transfer that brings fewer than 1000 bytes in this time is given up as stalled."),
        ConfigurationKey(
            "network.page_timeout", \.network.pageTimeout, .seconds(0.01...86_400),
            "For one attempt as a whole; waiting in the queue does not count."),
        ConfigurationKey(
            "network.max_attempts", \.network.maxAttempts, .count(of: "attempts", 1...100),
            "For each page and round, the first attempt included."),
        ConfigurationKey(
            "network.retry_base", \.network.retryBase, .seconds(0.01...3600),
            "The first pause before another attempt; it doubles each time, and chance shortens it."),
        ConfigurationKey(
            "network.retry_cap", \.network.retryCap, .seconds(0.01...86_400),
            "The longest pause within a round, a server's Retry-After included; retry_base too where it is longer."),
        ConfigurationKey(
            "network.retry_horizon", \.network.retryHorizon, .seconds(0...31_536_000, "no new rounds"),
            "How long a page whose failure may pass gets new rounds, ever rarer, also after restarts."),
        ConfigurationKey(
            "network.max_redirects", \.network.maxRedirects, .count(of: "redirects", 0...50, "none is followed"),
            "How many redirects a request may take."),
        ConfigurationKey(
            "network.max_bytes_per_second", \.network.maxBytesPerSecond,
            .count(of: "bytes a second", 0...1_000_000_000_000, "no limit"),
            "Over all transfers together, to leave the line to others."),
        ConfigurationKey(
            "network.allow_http", \.network.allowHTTP, .flag,
            "false: https only. Pictures fetched over http can be read and changed on their way."),
        ConfigurationKey(
            "network.allowed_addresses", \.network.allowedAddresses, .addressRanges,
            "Addresses that may be reached although they are not public: an origin of your own network."),
        ConfigurationKey(
            "network.headers", \.network.headers, .hostHeaders,
            "Sent to that host alone, over https alone, never after a redirect to another: for tokens."),
        ConfigurationKey(
            "network.proxy", \.network.proxy, .orNull(.proxy),
            "Fetch through this proxy; it resolves the names, so that only literal addresses can be refused."),
        ConfigurationKey(
            "network.user_agent", \.network.userAgent, .headerValue,
            "What origins are told is asking."),
        ConfigurationKey(
            "network.ca_file", \.network.caFile, .orNull(.path),
            "Certificates (PEM) to trust in place of the system's; null: the system's."),
    ]

    private static let limits = [
        ConfigurationKey(
            "limits.payload_bytes", \.limits.payloadBytes, .count(of: "bytes", 64...268_435_456),
            "The largest payload; a larger one is rejected. It is held in memory while it is read."),
        ConfigurationKey(
            "limits.pages", \.limits.pages, .count(of: "pages", 1...10_000),
            "The most pages of one story; those beyond are skipped."),
        ConfigurationKey(
            "limits.url_bytes", \.limits.urlBytes, .count(of: "bytes", 16...1_048_576),
            "The longest URL of a picture, redirects included."),
        ConfigurationKey(
            "limits.image_bytes", \.limits.imageBytes, .count(of: "bytes", 1...1_099_511_627_776),
            "The largest picture, as sent and as decoded from gzip; counted while it arrives."),
        ConfigurationKey(
            "limits.image_pixels", \.limits.imagePixels, .count(of: "pixels", 1...1_000_000_000_000),
            "Width times height: what a player can decode without running out of memory."),
        ConfigurationKey(
            "limits.image_types", \.limits.imageTypes, .imageTypes,
            "What the player can show; the Accept header says this list."),
    ]

    private static let cache = [
        ConfigurationKey(
            "cache.max_bytes", \.cache.maxBytes, .count(of: "bytes", 65_536...1_125_899_906_842_624),
            "The objects of all groups together; the oldest that no story needs go first."),
        ConfigurationKey(
            "cache.min_free_bytes", \.cache.minFreeBytes, .count(of: "bytes", 0...1_125_899_906_842_624, "no floor"),
            "What is left free on each filesystem that objects are written to."),
        ConfigurationKey(
            "cache.min_free_inodes", \.cache.minFreeInodes, .count(of: "inodes", 0...1_000_000_000_000, "no floor"),
            "The inodes that are left free on each filesystem that objects are written to."),
        ConfigurationKey(
            "cache.story_max_age", \.cache.storyMaxAge, .seconds(0...3_153_600_000, "no limit"),
            "Stories received longer ago than this are removed."),
        ConfigurationKey(
            "cache.max_stories", \.cache.maxStories, .count(of: "stories", 1...100_000_000),
            "The most stories of one group; the oldest go first."),
        ConfigurationKey(
            "cache.ignore_query_parameters", \.cache.ignoreQueryParameters, .parameterNames,
            "Query parameters that do not change the picture, such as signatures: so that signed URLs hit."),
        ConfigurationKey(
            "cache.durability", \.cache.durability, .word([("strict", .strict), ("relaxed", .relaxed)]),
            "strict: an object is on disk before a manifest calls it cached; relaxed: faster, but a power cut may cost it."
        ),
    ]
}
