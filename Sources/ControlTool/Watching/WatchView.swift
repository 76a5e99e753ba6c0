import ControlAPI

/// The daemon at a glance, as `storiesctl watch` draws it again and again. Fits the terminal that it is made for.
struct WatchView {
    /// Nil where the daemon does not answer; `trouble` then says why.
    let report: StatusReport?
    /// What keeps it from being asked.
    var trouble: String?
    /// Bytes a second over the wire; nil: not known yet.
    var rate: Double?
    /// Those that are not settled, newest first.
    var stories: [StorySummary] = []
    /// The last ones, oldest first.
    var events: [EventLine] = []
    let size: TerminalSize

    var lines: [Line] {
        var lines = head
        let room = max(0, size.rows - lines.count)
        // Stories may take half of what is left, and all where nothing has happened.
        let storyLines = self.storyLines(atMost: max(room / 2, room - events.count - 2))
        lines += storyLines
        let left = size.rows - lines.count - 2
        if left > 0, !events.isEmpty {
            lines += [Line(), Line("EVENTS", tone: .heading)] + events.suffix(left).map(\.line)
        }
        return Array(lines.prefix(size.rows))
    }

    private var head: [Line] {
        guard let report else { return [Line(trouble ?? "", tone: .bad)] }
        var first = Line("storiesd \(report.version)  ", tone: .heading)
        first.add(report.state.rawValue, tone: Palette.tone(ofState: report.state.rawValue))
        first.add("  up \(Figures.span(seconds: report.uptimeSeconds))  (q ends)")
        var lines = [first]
        lines += report.problems.prefix(3).map { Line("\($0.code): \($0.message)", tone: .bad) }
        lines += [
            field(
                "Inbox",
                "\(report.inbox.pending) pending, \(report.inbox.accepted) accepted, \(report.inbox.rejected) rejected"),
            field(
                "Stories",
                "\(report.stories.prefetching) prefetching, \(report.stories.ready) ready, \(report.stories.partial) partial, "
                    + "\(report.stories.failed) failed, \(report.stories.fallback) fallback"),
            field("Transfers", transfers(report.transfers)),
            cache(report.cache),
        ]
        return lines
    }

    private func transfers(_ transfers: StatusReport.Transfers) -> String {
        "\(transfers.active) active, \(transfers.queued) queued, \(transfers.completed) done, \(transfers.failed) failed, "
            + Figures.size(transfers.bytes) + (rate.map { ", \(Figures.size(Int($0)))/s" } ?? "")
    }

    private func cache(_ cache: StatusReport.Cache) -> Line {
        var line = field("Cache", "")
        let fraction = cache.maxBytes > 0 ? Double(cache.bytes) / Double(cache.maxBytes) : 0
        line.add(Bar.text(fraction, columns: 22), tone: fraction > 0.95 ? .warning : .plain)
        line.add(" \(Figures.size(cache.bytes)) of \(Figures.size(cache.maxBytes)), \(cache.hits) hits, ")
        line.add("\(cache.misses) misses")
        return line
    }

    private func field(_ name: String, _ value: String) -> Line {
        var line = Line()
        line.add(name, in: 11, tone: .heading)
        line.add(value)
        return line
    }

    private func storyLines(atMost room: Int) -> [Line] {
        guard !stories.isEmpty, room > 2 else { return [] }
        let shown = stories.prefix(room - 2)
        return [Line(), Line("IN FLIGHT", tone: .heading)]
            + shown.map { story in
                var line = Line()
                line.add(story.id, in: min(33, max(8, size.columns / 3)))
                line.add("  ")
                let fraction = story.pages > 0 ? Double(story.cached) / Double(story.pages) : 0
                line.add(Bar.text(fraction, columns: 12))
                line.add("  ")
                line.add("\(story.cached)/\(story.pages)", in: 7, isRightAligned: true)
                line.add("  \(story.title ?? "")")
                return line
            }
    }
}
