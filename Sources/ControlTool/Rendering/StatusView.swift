import ControlAPI

/// The daemon's status as `storiesctl status` prints it.
struct StatusView {
    let report: StatusReport
    let palette: Palette
    /// As of `Table.lines`.
    var columns: Int? = Table.widest

    var lines: [String] {
        var fields = Fields()
        fields.add("State", report.state.rawValue, tone: Palette.tone(ofState: report.state.rawValue))
        for problem in report.problems { fields.add("Problem", "\(problem.code): \(problem.message)", tone: .bad) }
        fields.add(
            "Daemon",
            "storiesd \(report.version), process \(report.processID), up \(Figures.span(seconds: report.uptimeSeconds))"
        )
        fields.add("Inbox", inbox)
        fields.add("", report.inbox.path)
        fields.add("Stories", stories)
        fields.add("Transfers", transfers)
        fields.add("", transfersSoFar)
        fields.add("Cache", cache)
        fields.add("", cacheUse)
        return fields.lines(palette)
            + (report.groups.isEmpty ? [] : [""] + GroupTable.table(report.groups).lines(palette, columns: columns))
    }

    private var inbox: String {
        let inbox = report.inbox
        return "\(inbox.pending) pending, \(inbox.accepted) accepted, \(inbox.rejected) rejected, "
            + Figures.count(inbox.rescans, "rescan", "rescans")
    }

    private var stories: String {
        let stories = report.stories
        return "\(stories.ready) ready, \(stories.partial) partial, \(stories.failed) failed, "
            + "\(stories.fallback) fallback, \(stories.prefetching) prefetching"
    }

    private var transfers: String { "\(report.transfers.active) active, \(report.transfers.queued) queued" }

    private var transfersSoFar: String {
        let transfers = report.transfers
        return "\(transfers.completed) completed, \(transfers.failed) failed, \(transfers.retried) retried, "
            + "\(transfers.resumed) resumed, \(Figures.size(transfers.bytes))"
    }

    private var cache: String {
        let cache = report.cache
        return "\(Figures.count(cache.objects, "object", "objects")), \(Figures.size(cache.bytes)) of "
            + "\(Figures.size(cache.maxBytes))\(cache.corrupt > 0 ? ", \(cache.corrupt) corrupt" : "")"
    }

    private var cacheUse: String {
        let cache = report.cache
        return "\(Figures.count(cache.hits, "hit", "hits")), \(Figures.count(cache.misses, "miss", "misses")), "
            + "\(cache.revalidated) revalidated, \(cache.coalesced) coalesced, \(cache.evicted) evicted"
    }
}
