import Addresses
import Inbox
import MediaCache
import Platform
import Prefetching
import Stories
import Transfers

/// What each module is told of the configuration, in its own words.
extension Configuration {
    var inboxOptions: InboxOptions {
        InboxOptions(
            path: inbox, appGroup: appGroup, rescanInterval: inboxRescan, payloadBytes: limits.payloadBytes,
            keepProcessed: keepProcessed)
    }

    var cacheOptions: CacheOptions {
        CacheOptions(
            stateDirectory: stateDirectory, appGroupsRoot: appGroupsRoot, fallbackDirectory: fallbackDirectory,
            maxBytes: Int64(cache.maxBytes), minFreeBytes: Int64(cache.minFreeBytes),
            minFreeInodes: Int64(cache.minFreeInodes),
            durability: cache.durability == .strict ? .strict : .relaxed)
    }

    var transferOptions: TransferOptions {
        var options = TransferOptions()
        options.connectTimeout = network.connectTimeout
        options.stallTimeout = network.stallTimeout
        options.pageTimeout = network.pageTimeout
        options.maxRedirects = network.maxRedirects
        options.maxBytesPerSecond = Int64(network.maxBytesPerSecond)
        options.allowHTTP = network.allowHTTP
        options.addresses = AddressPolicy(allowed: network.allowedAddresses)
        options.headers = network.headers
        options.proxy = network.proxy?.text
        options.userAgent = network.userAgent
        options.caFile = network.caFile
        options.urlBytes = limits.urlBytes
        // What the cache could not hold need not be received.
        options.imageBytes = Int64(min(limits.imageBytes, cache.maxBytes))
        options.imagePixels = limits.imagePixels
        options.imageTypes = limits.imageTypes
        return options
    }

    var payloadLimits: PayloadLimits {
        PayloadLimits(
            payloadBytes: limits.payloadBytes, pages: limits.pages, urlBytes: limits.urlBytes,
            allowHTTP: network.allowHTTP)
    }

    var prefetchOptions: PrefetchOptions {
        PrefetchOptions(
            queue: FetchQueue.Limits(
                concurrency: network.concurrency, perHost: network.perHost,
                retry: RetryPolicy(
                    maxAttempts: network.maxAttempts, base: network.retryBase, cap: network.retryCap,
                    horizon: network.retryHorizon)),
            storyDeadline: storyDeadline, ignoredQueryParameters: cache.ignoreQueryParameters,
            storyMaxAge: cache.storyMaxAge, maxStories: cache.maxStories)
    }
}
