import ControlAPI
import Metrics
import Platform
import Prefetching
import Stories

/// The daemon's metrics as of one moment. What status tells is taken from status, under names made from its own: so the two
/// cannot contradict each other. Counters count since the start. No label has a value that comes from outside, and every
/// series is there from the start.
struct DaemonMetrics {
    private let status: StatusReport
    private let prefetching: PrefetchStatistics
    private let startedAt: Timestamp
    private let usage: ProcessUsage?

    init(_ snapshot: DaemonSnapshot, startedAt: Timestamp, usage: ProcessUsage?) {
        status = snapshot.status
        prefetching = snapshot.prefetching
        self.startedAt = startedAt
        self.usage = usage
    }

    /// What collectors are given.
    var text: [UInt8] { MetricsText.bytes(families) }

    /// In the order in which they are told.
    var families: [MetricFamily] { about + process + inbox + stories + pages + transfers + cache }

    private var about: [MetricFamily] {
        [
            .gauge(
                "storiesd_build_info", "Always 1; the label tells the version.", by: "version", [(status.version, 1)]),
            .gauge(
                "storiesd_state", "1 for the state that the daemon is in, 0 for the others.", by: "state",
                StatusReport.State.allCases.map { ($0.rawValue, $0 == status.state ? 1 : 0) }),
            .gauge(
                "storiesd_problems", "What is wrong now, by the code of the problem.", by: "code",
                StatusProblem.allCases.map { known in
                    (known.rawValue, status.problems.count { $0.code == known.rawValue })
                }),
        ]
    }

    private var process: [MetricFamily] {
        let start = MetricFamily.gauge(
            "storiesd_process_start_time_seconds", "When the daemon started, since the Unix epoch.",
            Double(startedAt.milliseconds) / 1000)
        guard let usage else { return [start] }
        return [
            start,
            .counter(
                "storiesd_process_cpu_seconds_total", "Processor time used, in user and kernel mode.",
                usage.processorTime / .seconds(1)),
            .gauge("storiesd_process_resident_memory_bytes", "Resident memory.", usage.residentBytes),
            .gauge("storiesd_process_open_fds", "Open file descriptors.", usage.openDescriptors),
            .gauge("storiesd_process_max_fds", "File descriptors that may be open.", usage.maximumDescriptors),
        ]
    }

    private var inbox: [MetricFamily] {
        [
            .gauge("storiesd_inbox_pending", "Payloads in the inbox that are not accepted yet.", status.inbox.pending),
            .counter("storiesd_inbox_accepted_total", "Payloads accepted.", status.inbox.accepted),
            .counter("storiesd_inbox_rejected_total", "Payloads moved to .rejected.", status.inbox.rejected),
            .counter("storiesd_inbox_rescans_total", "Times the inbox was read anew.", status.inbox.rescans),
        ]
    }

    private var stories: [MetricFamily] {
        let (now, states) = (status.stories, StoryState.self)
        return [
            .gauge(
                "storiesd_stories", "Stories by state.", by: "state",
                [
                    (states.prefetching, now.prefetching), (states.ready, now.ready), (states.partial, now.partial),
                    (states.failed, now.failed), (states.fallback, now.fallback),
                ].map { ($0.rawValue, $1) }),
            .counter(
                "storiesd_stories_accepted_total",
                "Stories accepted, from the inbox or over the socket; one that came again unchanged is none.",
                prefetching.acceptedStories),
            .histogram(
                "storiesd_story_first_page_seconds",
                "From the beginning of a story's acceptance until a manifest with its first page is on disk.",
                prefetching.firstPage),
            .histogram(
                "storiesd_story_settled_seconds",
                "From the beginning of a story's acceptance until its manifest is on disk as settled.",
                prefetching.settled),
        ]
    }

    private var pages: [MetricFamily] {
        [
            .counter(
                "storiesd_pages_cached_total", "Pages that came to be cached, by where their picture is from.",
                by: "source", PageSource.allCases.map { ($0.rawValue, prefetching.cachedPages[$0] ?? 0) }),
            .counter(
                "storiesd_page_failures_total", "Rounds of tries for a page that ended without a picture, by why.",
                by: "code", PageError.Code.allCases.map { ($0.rawValue, prefetching.failedPages[$0] ?? 0) }),
        ]
    }

    private var transfers: [MetricFamily] {
        let transfers = status.transfers
        return [
            .gauge("storiesd_transfers_active", "Transfers under way.", transfers.active),
            .gauge("storiesd_transfers_queued", "Transfers that wait for a slot.", transfers.queued),
            .counter("storiesd_transfers_completed_total", "Transfers that brought a picture.", transfers.completed),
            .counter("storiesd_transfers_failed_total", "Rounds of transfers that failed.", transfers.failed),
            .counter("storiesd_transfers_retried_total", "Transfers made since another failed.", transfers.retried),
            .counter("storiesd_transfers_resumed_total", "Transfers that went on with a part.", transfers.resumed),
            .counter(
                "storiesd_transfers_bytes_total", "Bytes of bodies received, those of failed transfers included.",
                transfers.bytes),
            .histogram(
                "storiesd_transfer_seconds",
                "How long the transfers took that brought a picture, waiting for a slot left out.",
                prefetching.transfers),
        ]
    }

    private var cache: [MetricFamily] {
        let cache = status.cache
        return [
            .gauge("storiesd_cache_objects", "Pictures cached, over all containers.", cache.objects),
            .gauge("storiesd_cache_bytes", "Size of the pictures cached.", cache.bytes),
            .gauge("storiesd_cache_max_bytes", "Size that they may have, as configured.", cache.maxBytes),
            .counter("storiesd_cache_hits_total", "Pages whose picture was there and fresh.", cache.hits),
            .counter("storiesd_cache_misses_total", "Pages whose picture had to be asked for.", cache.misses),
            .counter("storiesd_cache_revalidated_total", "Pictures that the origin confirmed.", cache.revalidated),
            .counter("storiesd_cache_coalesced_total", "Pages that joined a transfer of others.", cache.coalesced),
            .counter(
                "storiesd_cache_deduplicated_total", "Downloads whose bytes were there already.", cache.deduplicated),
            .counter("storiesd_cache_evicted_total", "Pictures removed to keep within limits.", cache.evicted),
            .counter(
                "storiesd_cache_corrupt_total",
                "Pictures that were not what their name says, or were removed by others.",
                cache.corrupt),
        ]
    }
}
